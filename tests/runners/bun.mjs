// The cases in Bun: `bun bun.mjs CASES`.

import * as library from "intentkey";
import { agree } from "./agree.mjs";

const cases = await Bun.file(Bun.argv[2]).text();
console.log(JSON.stringify({ runtime: "Bun", version: Bun.version, ...agree(library, cases) }));
