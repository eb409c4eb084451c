import type { JsonObject } from "../../dialog/model.ts";
import type { ApprovalAnswer } from "./pending-approvals.ts";
import type { Question } from "./external-agents.ts";
import type { Caller, Given } from "./mail-delivery.ts";

/** The agents whose hooks Vibey answers. */
export const hookAgents = ["claude-code", "codex", "opencode"] as const;
export type HookAgent = (typeof hookAgents)[number];

/** The answer to a hook: at once, when the user has decided, or when the user has sent something. An empty object leaves everything to the agent. */
export type HookAnswer =
  | { readonly kind: "now"; readonly body: JsonObject }
  | { readonly kind: "later"; readonly question: Omit<Question, "signal">; readonly answer: (decided: ApprovalAnswer | null) => JsonObject }
  | { readonly kind: "wait"; readonly caller: Caller; readonly type: TextType; readonly answer: (given: Given) => string }
  | { readonly kind: "unknown" };

/** The content type of the answer to a waiting agent. */
export type TextType = "application/json" | "text/plain; charset=utf-8";
