// Ready policies, each with two producers of one intent.

import agentToml from "../../../harness/policies/agent-tool-call.toml?raw";
import orderToml from "../../../harness/policies/order.toml?raw";
import pixToml from "../../../harness/policies/pix-payment.toml?raw";
import webhookToml from "../../../harness/policies/webhook.toml?raw";
import { AGENT } from "./agent";
import { ORDER } from "./order";
import type { Pair } from "./pair";
import { PIX } from "./pix";
import { WEBHOOK } from "./webhook";

/** A policy to start from. */
export interface Ready extends Pair {
  readonly toml: string;
}

export const READY = {
  pix: { toml: pixToml, ...PIX },
  order: { toml: orderToml, ...ORDER },
  agent: { toml: agentToml, ...AGENT },
  webhook: { toml: webhookToml, ...WEBHOOK },
} as const satisfies Record<string, Ready>;

export type ReadyName = keyof typeof READY;
