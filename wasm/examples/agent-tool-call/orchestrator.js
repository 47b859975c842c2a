// An agent's tool call. The model proposes an action; the orchestrator validates it, derives the
// key and acts. The model never sees a key: it is in no schema, no prompt and no tool result, so it
// can neither invent one nor carry one from this action to another.
//
// A model that is asked again, after a crash or a timeout, proposes the same action in other words
// ("ANA@example.com ", 10.5 for "10.50"). The policy says what is the same, and the key is too.

import { IntentKeyError } from "intentkey";

/** What the action is: the fields that the model proposes, and no others. */
export const policy = {
  name: "agent-refund",
  actions: ["refund.create"],
  bucket_seconds: 0,
  key: { format: "uuid" },
  identity: {
    // The conversation's turn: a refund that is asked for again later is another refund.
    turn: { rule: "exact" },
    order: { rule: "identifier" },
    amount: { rule: "decimal", scale: 2, rounding: "refuse" },
    recipient: { rule: "email" },
  },
  ignored: { reason: "the model's own words, different each time" },
};

/** What the model is shown of the tool. */
export const tools = [
  {
    name: "create_refund",
    description: "Refund a part of an order to the customer.",
    parameters: {
      type: "object",
      properties: {
        order: { type: "string" },
        amount: { type: "string", description: "such as 12.50" },
        recipient: { type: "string", description: "the customer's e-mail address" },
        reason: { type: "string" },
      },
      required: ["order", "amount", "recipient"],
      additionalProperties: false,
    },
  },
];

/**
 * Runs one turn: asks the model until it is done.
 *
 * @param turn `{ id, tenant, startedAt, question }`, recorded when the user asked
 * @param model `({ messages, tools }) => { call: { name, arguments } } | { text }`
 * @param act `(key, refund) => result`: the side effect, idempotent by key
 * @param mayRefund `(tenant, refund) => boolean`: your rules, which no model talks its way around
 */
export async function runTurn(turn, { deriver, model, act, mayRefund }) {
  const messages = [{ role: "user", content: turn.question }];
  for (;;) {
    const { text, call } = await model({ messages, tools });
    if (text !== undefined) return text;
    messages.push({ role: "assistant", call });
    messages.push({ role: "tool", content: await answer(turn, call, { deriver, act, mayRefund }) });
  }
}

/** Validates what the model proposes, derives, acts; gives what the model may know of it. */
async function answer(turn, call, { deriver, act, mayRefund }) {
  if (call.name !== "create_refund") return { refused: "no such tool" };
  try {
    const refund = JSON.parse(call.arguments);
    if (!mayRefund(turn.tenant, refund)) return { refused: "not allowed" };
    // Tenant, action and turn are the orchestrator's, never the model's. An argument that the
    // policy does not know (an idempotency_key, say) is refused.
    const { key } = deriver.deriveKey({
      tenant: turn.tenant,
      action: "refund.create",
      intentEpoch: turn.startedAt,
      payload: { ...refund, turn: turn.id },
    });
    const { status } = await act(key, refund);
    return { status };
  } catch (error) {
    if (error instanceof SyntaxError) return { refused: "the arguments are no JSON" };
    if (!(error instanceof IntentKeyError)) throw error;
    const { code, field, fields } = error;
    return { refused: code, field, fields };
  }
}
