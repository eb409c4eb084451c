import type { Dialog } from "../../dialog/model.ts";
import { pieces } from "../../dialog/edit.ts";
import { dialogFilename } from "../../dialog/name.ts";
import { isRecord } from "../../dialog/outside.ts";
import { serialiseDialog } from "../../dialog/serialise.ts";
import type { Actor } from "../../fs/actor.ts";
import type { Change } from "../../fs/files.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import type { EventBus } from "../events.ts";
import type { Creation } from "./create.ts";
import type { DialogAccess } from "./dialog-access.ts";
import { storeChange } from "./dispatch.ts";
import type { Live } from "./live.ts";
import { notStored, type Outcome, refused } from "./outcome.ts";
import type { Registry } from "./registry.ts";
import type { DialogStore } from "./store.ts";

export interface RecordChange<T> {
  /** Null if nothing has to be stored. */
  readonly taken: Parameters<typeof storeChange>[1] | null;
  readonly value: T;
}

export interface RecordsDeps {
  readonly store: DialogStore;
  readonly bus: EventBus;
  readonly creation: Creation;
  readonly registry: Pick<Registry, "adopt">;
  readonly access: DialogAccess;
}

/** Records of agents outside Vibey. Only `engine/outside` writes them. */
export interface Records {
  /** Creates a record. The default `status` is `waiting`. */
  createRecord(slug: string, dialog: Dialog, by: Actor, status?: "waiting" | "done"): Promise<Outcome<Live>>;
  /** Changes a record: stores and reports the result of `change`. */
  changeRecord<T>(id: string, by: Actor, change: (live: Live) => RecordChange<T>): Promise<Outcome<T>>;
}

export function createRecords({ store, bus, creation, registry, access }: RecordsDeps): Records {
  return {
    createRecord: (slug, dialog, by, status = "waiting") =>
      creation.oneByOne(async () => {
        const [id = ""] = await creation.ids([slug]);
        const filename = dialogFilename(id, status);
        const path = vibeyPath(filename);
        const change: Change = { op: "write", path, data: pieces(dialog) };
        const stored = await store.other([change], { durability: "strict", expect: [{ path, version: null }], by });
        if (!stored.ok) return notStored(stored.failure.kind);
        const state = { dialog, status, turn: null };
        const live = registry.adopt({ id, filename, path, state, text: serialiseDialog(dialog), change, effects: [] }, stored.version);
        return { ok: true, value: live };
      }),
    changeRecord: (id, by, change) =>
      access.withLive(id, async (live) => {
        if (!isRecord(live.state.dialog)) return refused({ kind: "format", format: live.state.dialog.format });
        const { taken, value } = change(live);
        if (taken === null) return { ok: true, value };
        const stored = await access.outcome(live, await storeChange(live, taken, by, { store, bus }));
        return stored.ok ? { ok: true, value } : stored;
      }),
  };
}
