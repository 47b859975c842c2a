// All but the first picture: it comes after that can be seen and used.

import { CollidePanel } from "./collide/panel";
import { PolicyPanel } from "./policy/panel";
import { withTimes } from "./policy/time";
import { Arrival, arrive } from "./share/arrive";
import { SharePanel } from "./share/panel";
import { policy } from "./state";
import { putIntoPolicy } from "./time/panel";

export function Workbench() {
  return (
    <>
      <Arrival />
      <CollidePanel />
      <PolicyPanel />
      <SharePanel />
    </>
  );
}

putIntoPolicy.value = ({ bucket, edge }) => {
  policy.value = { ...policy.peek(), text: withTimes(policy.peek(), bucket, edge) };
  document.getElementById("policy")?.scrollIntoView();
};

await arrive();
addEventListener("hashchange", () => void arrive());
