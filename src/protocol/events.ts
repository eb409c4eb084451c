import type { Severity } from "../dialog/events/model.ts";
import type { Actor } from "../fs/actor.ts";
import type { Activity, DialogFacts, Status } from "./dialogs.ts";

/**
 * The present state of something, in the shape of a log event. It is not stored, so it has no id and no place in the log: a reader that joins late
 * has to ask for the state.
 */
export type LiveEvent = LiveData & {
  /** In ISO 8601. */
  readonly time: string;
  readonly severity: Severity;
  readonly actor: Actor;
  /** The dialog that it is about. Null if there is none. */
  readonly dialogId: string | null;
};

/** The data of each type of live event. */
export type LiveData =
  /** A doc, or another file below `vibey/`. */
  | Typed<"file", { readonly name: string; readonly change: "changed" | "removed" }>
  /** A file of the deed. */
  | Typed<"deed", { readonly path: string; readonly change: "changed" | "removed" }>
  /** The state of a dialog, and what happens in it. */
  | Typed<"dialog", { readonly filename: string; readonly status: Status; readonly activity: Activity | null } & DialogFacts>
  | Typed<"dialog_removed", object>
  /** The answer of `GET /sandbox` has changed. */
  | Typed<"sandbox", object>
  /** A key was added, removed, saved, locked or unlocked. */
  | Typed<"keys", object>
  /** The answer of `GET /bridge` has changed. */
  | Typed<"bridge", object>
  /** The progress of the request that has this id, in bytes. */
  | Typed<"progress", { readonly id: string; readonly done: number; readonly total: number }>
  /** The history has a new commit. */
  | Typed<"history", { readonly commit: string }>
  /** A message for the user: an agent wanted to write authority lines, storage is full, a limit was reached. */
  | Typed<"notice", { readonly kind: string; readonly message: string }>;

interface Typed<Type extends string, Data> {
  readonly type: Type;
  readonly data: Data;
}

/** Frames of `GET /events`. */
export type LiveFrame =
  /** The first frame. Also sent after a slow reader missed frames: everything may have changed. */
  { readonly type: "hello" } | { readonly type: "live"; readonly event: LiveEvent };
