import type { Actor } from "../fs/actor.ts";
import type { Activity, DialogFacts, Status } from "./dialogs.ts";

/** Frames of `GET /events`. The first is `hello`. */
export type EngineEvent =
  | { readonly type: "hello" }
  | { readonly type: "file"; readonly name: string; readonly change: "changed" | "removed"; readonly by: Actor }
  | { readonly type: "deed"; readonly path: string; readonly change: "changed" | "removed"; readonly by: Actor }
  | ({
      readonly type: "dialog";
      readonly dialogId: string;
      readonly filename: string;
      readonly status: Status;
      readonly activity: Activity | null;
    } & DialogFacts)
  | { readonly type: "dialog-removed"; readonly dialogId: string }
  /** What `GET /sandbox` answers has changed. */
  | { readonly type: "sandbox" }
  /** A key is there, gone, remembered, locked or unlocked. */
  | { readonly type: "keys" }
  /** How far the work is that was asked for with this id. In bytes. */
  | { readonly type: "progress"; readonly id: string; readonly done: number; readonly total: number }
  /** The history has a new commit. */
  | { readonly type: "history"; readonly id: string }
  /** The user is told: an agent wanted to write authority, storage is full, a limit was hit. */
  | { readonly type: "notice"; readonly kind: string; readonly message: string; readonly dialogId: string | null };
