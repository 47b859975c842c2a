// A worker that is sent the cases.

import * as library from "intentkey";
import { agree } from "./agree.mjs";

export default {
  async fetch(request) {
    return Response.json(agree(library, await request.text()));
  },
};
