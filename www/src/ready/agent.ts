import type { Pair } from "./pair";

/** A mail that an agent sends, and the same after a restart with another model. */
export const AGENT: Pair = {
  first: {
    tenant: "user-4417",
    action: "mail.send",
    epoch: "1796040300",
    payload: `{
  "goal_id": "3c2e7f10-5b8d-4c1a-9e64-0f7a2d9b6c51",
  "to": ["ana@example.com", "rui@example.org"],
  "subject": "Weekly figures",
  "body": "Hello both, the figures are attached.",
  "live": true,
  "tool_call_id": "call_1",
  "run_id": "run-a",
  "model": "large-3"
}`,
  },
  second: {
    tenant: "user-4417",
    action: "mail.send",
    epoch: "1796040300",
    payload: `{
  "to": ["RUI@example.org", " Ana@Example.com"],
  "live": true,
  "subject": "  weekly   FIGURES ",
  "goal_id": "3C2E7F105B8D4C1A9E640F7A2D9B6C51",
  "body": "Hello both, the figures are attached.\\n",
  "tool_call_id": "call_7",
  "run_id": "run-b",
  "model": "small-3",
  "reasoning": ["The first call timed out.", { "confidence": 0.83 }]
}`,
  },
};
