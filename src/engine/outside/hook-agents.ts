import type { JsonObject } from "../../dialog/model.ts";
import type { ApprovalAnswer } from "./pending-approvals.ts";
import type { Question } from "./external-agents.ts";
import type { Caller, Given } from "./mail-delivery.ts";

/** The agents whose hooks are answered. */
export const hookAgents = ["claude-code", "codex", "opencode"] as const;
export type HookAgent = (typeof hookAgents)[number];

/** What a hook is answered with: at once, once the user has decided, or once the user has said something. An empty object leaves everything to the agent. */
export type HookAnswer =
  | { readonly kind: "now"; readonly body: JsonObject }
  | { readonly kind: "later"; readonly question: Omit<Question, "signal">; readonly answer: (decided: ApprovalAnswer | null) => JsonObject }
  | { readonly kind: "wait"; readonly caller: Caller; readonly type: TextType; readonly answer: (given: Given) => string }
  | { readonly kind: "unknown" };

/** Of the text that an agent which waits is answered with. */
export type TextType = "application/json" | "text/plain; charset=utf-8";
