import type { JsonObject } from "../../dialog/model.ts";
import type { AuthorityChange, Refusal } from "../turn/machine/model.ts";
import type { ForkRefusal } from "./fork.ts";

export type PutRefusal =
  | Refusal
  | { readonly kind: "unknown-dialog" }
  /** The call asks the user something, and was approved without answers. */
  | { readonly kind: "unanswered"; readonly id: string }
  /** The calls read otherwise now than when the user decided. */
  | { readonly kind: "changed"; readonly ids: readonly string[] }
  /** An answer about a host that does not name the question that is open. `given`: what it names; null: nothing. */
  | {
      readonly kind: "question";
      readonly host: string;
      readonly given: string | null;
      readonly open: { readonly host: string; readonly question: string } | null;
    }
  /** The dialog's file has another name. */
  | { readonly kind: "exists"; readonly filename: string }
  /** There is no such command in the background, or it has ended. */
  | { readonly kind: "not-running"; readonly id: string }
  /** The dialog is the root of a run in which other agents work, or wait for their turn. */
  | { readonly kind: "run-active" }
  /** The dialog is no fork of another one. */
  | { readonly kind: "no-fork" }
  /** Fewer than two agents are to answer each other. */
  | { readonly kind: "too-few"; readonly agents: readonly string[] }
  /** There is no summary of the fork yet. */
  | { readonly kind: "no-summary" }
  /** The key of this message was that of another one. */
  | { readonly kind: "other-message" }
  | { readonly kind: "storage"; readonly message: string }
  | ForkRefusal;

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: PutRefusal };

export interface PutDialog {
  readonly decisions: ReadonlyMap<string, "approve" | "deny">;
  /** By call id, the arguments with which the user approves it in place of the agent's. Left out: none. */
  readonly changes?: ReadonlyMap<string, JsonObject>;
  readonly authority: readonly AuthorityChange[];
  /** What was shown when the user decided, by call id. */
  readonly hashes: ReadonlyMap<string, string>;
  /** The questions that words about hosts answer, by host. */
  readonly questions: ReadonlyMap<string, string>;
  readonly prompt: string | null;
  /** Names the message, for `limits.messageKeyMs`: a second one of that key is not said again; see `messageKey`. Left out: it has no name. */
  readonly key?: string;
  /** The agents that answer the prompt, by slug; null: those that its text names. */
  readonly mentions: readonly string[] | null;
  /** `sequence`: they answer one after another, each with the answers before it. `turns`: they answer each other, in a side fork. null: at the same time. */
  readonly order: "sequence" | "turns" | null;
  /** Calls of an agent outside Vibey for which its own suggestion holds from then on, by id. */
  readonly always?: ReadonlySet<string>;
  /** The request that failed is made again. */
  readonly again: boolean;
  readonly provider: string | null;
  readonly model: string | null;
}

/** What the user sends when there is nothing to say. */
export const emptyPut: PutDialog = {
  decisions: new Map(),
  authority: [],
  hashes: new Map(),
  questions: new Map(),
  prompt: null,
  mentions: null,
  order: null,
  again: false,
  provider: null,
  model: null,
};

export function refused(refusal: PutRefusal): { readonly ok: false; readonly refusal: PutRefusal } {
  return { ok: false, refusal };
}

/** `kind`: of the failure to store something. */
export function notStored(kind: string): { readonly ok: false; readonly refusal: PutRefusal } {
  const message =
    kind === "full" ? "the browser's storage is full; nothing was changed" : `the browser couldn't save it (${kind}); nothing was changed`;
  return refused({ kind: "storage", message });
}
