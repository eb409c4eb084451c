import type { Severity } from "../dialog/events/model.ts";
import type { Actor } from "../fs/actor.ts";
import type { Activity, DialogFacts, Status } from "./dialogs.ts";

/**
 * Something that is so now, in the shape of the events of the log. It stands nowhere, so it has no id and no place in the log: a reader that joins
 * late asks how things are.
 */
export type LiveEvent = LiveData & {
  /** ISO 8601. */
  readonly time: string;
  readonly severity: Severity;
  readonly actor: Actor;
  /** The dialog that it is about; null: none. */
  readonly dialogId: string | null;
};

/** What each type of live event tells. */
export type LiveData =
  /** A doc, or another file below `vibey/`. */
  | Typed<"file", { readonly name: string; readonly change: "changed" | "removed" }>
  /** A file of the deed. */
  | Typed<"deed", { readonly path: string; readonly change: "changed" | "removed" }>
  /** How a dialog is, and what happens in it. */
  | Typed<"dialog", { readonly filename: string; readonly status: Status; readonly activity: Activity | null } & DialogFacts>
  | Typed<"dialog_removed", object>
  /** What `GET /sandbox` answers has changed. */
  | Typed<"sandbox", object>
  /** A key is there, gone, remembered, locked or unlocked. */
  | Typed<"keys", object>
  /** What `GET /bridge` answers has changed. */
  | Typed<"bridge", object>
  /** How far the work is that was asked for with this id. In bytes. */
  | Typed<"progress", { readonly id: string; readonly done: number; readonly total: number }>
  /** The history has a new commit. */
  | Typed<"history", { readonly commit: string }>
  /** The user is told: an agent wanted to write authority, storage is full, a limit was hit. */
  | Typed<"notice", { readonly kind: string; readonly message: string }>;

interface Typed<Type extends string, Data> {
  readonly type: Type;
  readonly data: Data;
}

/** Frames of `GET /events`. */
export type LiveFrame =
  /** The first frame, and one after frames that a slow reader missed: everything may have changed. */
  { readonly type: "hello" } | { readonly type: "live"; readonly event: LiveEvent };
