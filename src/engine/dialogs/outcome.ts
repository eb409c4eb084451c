import type { JsonObject } from "../../dialog/model.ts";
import type { AuthorityChange, Refusal } from "../turn/machine/model.ts";
import type { ForkRefusal } from "./fork.ts";

export type PutRefusal =
  | Refusal
  | { readonly kind: "unknown-dialog" }
  /** The call asks the user something, but was approved without answers. */
  | { readonly kind: "unanswered"; readonly id: string }
  /** The calls have changed since the user decided. */
  | { readonly kind: "changed"; readonly ids: readonly string[] }
  /** An answer about a host that doesn't name the open question. `given` is the question that it names. Null if it names none. */
  | {
      readonly kind: "question";
      readonly host: string;
      readonly given: string | null;
      readonly open: { readonly host: string; readonly question: string } | null;
    }
  /** The dialog's file has another name. */
  | { readonly kind: "exists"; readonly filename: string }
  /** There is no such background command, or it has ended. */
  | { readonly kind: "not-running"; readonly id: string }
  /** The dialog is the root of a run in which other agents work, wait in the queue or ask the user. */
  | { readonly kind: "run-active" }
  /** The dialog is not a fork. */
  | { readonly kind: "no-fork" }
  /** Fewer than two agents were named to answer each other. */
  | { readonly kind: "too-few"; readonly agents: readonly string[] }
  /** There is no summary of the fork yet. */
  | { readonly kind: "no-summary" }
  /** Another message already used this message's key. */
  | { readonly kind: "other-message" }
  | { readonly kind: "storage"; readonly message: string }
  | ForkRefusal;

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: PutRefusal };

export interface PutDialog {
  readonly decisions: ReadonlyMap<string, "approve" | "deny">;
  /** By call id, the arguments that the user approved instead of the agent's. Left out if there are none. */
  readonly changes?: ReadonlyMap<string, JsonObject>;
  readonly authority: readonly AuthorityChange[];
  /** What was shown when the user decided, by call id. */
  readonly hashes: ReadonlyMap<string, string>;
  /** By host, the question that the user's answer is for. */
  readonly questions: ReadonlyMap<string, string>;
  readonly prompt: string | null;
  /** Identifies the message for `limits.messageKeyMs`: a second message with the same key is ignored. See `messageKey`. Left out if it has no key. */
  readonly key?: string;
  /** The slugs of the agents that answer the prompt. Null means those that its text names. */
  readonly mentions: readonly string[] | null;
  /**
   * `sequence`: they answer one after another, each with the answers before it. `turns`: they answer each other, in a side fork. Null: at the
   * same time.
   */
  readonly order: "sequence" | "turns" | null;
  /** The ids of calls by an agent outside Vibey whose suggested rule applies from now on. */
  readonly always?: ReadonlySet<string>;
  /** Repeats the failed request. */
  readonly again: boolean;
  readonly provider: string | null;
  readonly model: string | null;
}

/** A request without any content. */
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

/** `kind` is the kind of the storage failure. */
export function notStored(kind: string): { readonly ok: false; readonly refusal: PutRefusal } {
  const message =
    kind === "full" ? "the browser's storage is full; nothing was changed" : `the browser couldn't save it (${kind}); nothing was changed`;
  return refused({ kind: "storage", message });
}
