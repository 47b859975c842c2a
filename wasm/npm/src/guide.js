// What the policies say of names and places, so that nothing is read where nothing may be looked
// at, and names that they declare are written as numbers.

import { send } from "./message.js";
import { exchange, json } from "./module.js";
import { UNDECLARED } from "./writer.js";

const encoder = new TextEncoder();

/** Opens an engine with the message that was written, and gives it with its guide. */
export function open() {
  let engine;
  const length = send((_engine, from, to) => {
    engine = exchange.open(from, to);
    return engine === undefined ? -exchange.length : exchange.length;
  });
  return { engine, guide: guideOf(json(length)) };
}

function guideOf(guide) {
  const ids = new Map(guide.names.map((name, id) => [name, id]));
  guide.policies = guide.policies.map(([fromEpoch, ignored, declared]) => {
    const root = placeOf("");
    for (const path of declared) placeAt(root, path, ids);
    for (const path of ignored) placeAt(root, path, ids).isIgnored = true;
    return { fromEpoch, root: root.node };
  });
  return guide;
}

/** The payload's node under the policy in force at an epoch. */
export function rootAt({ policies }, epoch) {
  if (policies.length === 1) return policies[0].root;
  let root = UNDECLARED;
  if (Number.isInteger(epoch) && epoch < 1e11) {
    for (const policy of policies) if (policy.fromEpoch <= epoch) root = policy.root;
  }
  return root;
}

function placeOf(name, id) {
  const node = { members: new Map(), element: undefined };
  return { isIgnored: false, id, size: encoder.encode(name).length, node };
}

/** The place at a path, made on the way there. */
function placeAt(place, path, ids) {
  for (const step of path) {
    const { node } = place;
    if (step === 0) place = node.element ??= placeOf("");
    else {
      place = node.members.get(step);
      if (place === undefined) node.members.set(step, (place = placeOf(step, ids.get(step))));
    }
  }
  return place;
}
