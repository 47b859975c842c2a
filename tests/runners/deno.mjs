// The cases in Deno: `deno run --allow-read deno.mjs CASES`.

import * as library from "intentkey";
import { agree } from "./agree.mjs";

const cases = Deno.readTextFileSync(Deno.args[0]);
console.log(JSON.stringify({ runtime: "Deno", version: Deno.version.deno, ...agree(library, cases) }));
