// The cases in Node: `node node.mjs CASES`.

import { readFileSync } from "node:fs";
import * as library from "intentkey";
import { agree } from "./agree.mjs";

const cases = readFileSync(process.argv[2], "utf8");
console.log(JSON.stringify({ runtime: "Node", version: process.versions.node, ...agree(library, cases) }));
