import type { Frame } from "../api.ts";
import { callsOf, isLost, isUndecided, lastCalls } from "../machine/queries.ts";
import type { Prepared } from "./create.ts";
import type { DialogsDeps } from "./deps.ts";
import { announce, dispatch, type DispatchDeps } from "./dispatch.ts";
import { type Live, tell } from "./live.ts";
import { listDialogs, makeLive, openDialog } from "./open.ts";

/**
 * The dialogs that are open in this engine: one `Live` for each id, made from its file when it is first asked for. What an
 * engine that is gone left undone in it is settled before anyone sees it.
 */
export interface Registry {
  find(id: string): Promise<Live | null>;
  /** Takes up a dialog whose file has just been stored. */
  adopt(prepared: Prepared, version: number, onFrame?: (frame: Frame) => void): Live;
  /** Reads the file again; whoever followed the dialog follows what was read. */
  handOver(live: Live): Promise<Live | null>;
  /** The file is gone. */
  forget(live: Live): void;
  /** Reads what pending `write_file` calls would replace, so that the human sees what changes. */
  readBefore(live: Live): Promise<void>;
}

export function createRegistry(deps: DialogsDeps, machine: DispatchDeps, lost: (live: Live, why: string) => void): Registry {
  const open = new Map<string, Promise<Live | null>>();

  async function find(id: string): Promise<Live | null> {
    const known = open.get(id);
    if (known) return known;
    const opening = load(id);
    open.set(id, opening);
    // Somebody else may have taken its place meanwhile.
    const forgetOpening = () => {
      if (open.get(id) === opening) open.delete(id);
    };
    const live = await opening.catch((error: unknown) => {
      forgetOpening();
      throw error;
    });
    if (!live) forgetOpening();
    return live;
  }

  async function load(id: string): Promise<Live | null> {
    const file = (await listDialogs(deps.files)).find(({ dialogId }) => dialogId === id);
    const live = file ? await openDialog(deps.files, file, deps.revisions) : null;
    if (!live || !file) return null;
    follow(live);
    await settleLeftovers(live, file.mtime);
    await readBefore(live);
    return live;
  }

  function follow(live: Live): void {
    live.lost = (failure) => lost(live, failure.kind);
  }

  async function settleLeftovers(live: Live, mtime: number): Promise<void> {
    const { dialog, status } = live.state;
    const leftOver = status === "active" || dialog.sections.flatMap(callsOf).some(isLost);
    if (dialog.format !== 1 || !leftOver) return;
    const done = await dispatch(live, { type: "found", time: new Date(mtime).toISOString() }, machine);
    if (done.ok || !("failure" in done)) return;
    const message = `What an earlier engine left undone could not be settled: the file can't be written (${done.failure.kind}).`;
    deps.bus.emit({ type: "notice", kind: "storage", message, dialogId: live.id });
  }

  async function readBefore(live: Live): Promise<void> {
    live.before.clear();
    for (const call of lastCalls(live.state.dialog).filter(isUndecided)) {
      const text = call.name === "write_file" ? await deps.readForDiff(call.input["path"]) : null;
      if (text !== null) live.before.set(call.id, text);
    }
  }

  return {
    find,
    readBefore,
    adopt(prepared, version, onFrame) {
      const { id, path, state, text } = prepared;
      const live = makeLive({ id, path, version, state, text, stale: false, revisions: deps.revisions });
      follow(live);
      open.set(id, Promise.resolve(live));
      if (onFrame) live.frames.add(onFrame);
      announce(live, deps.bus);
      return live;
    },
    async handOver(live) {
      if (live.gone) return find(live.id);
      live.gone = true;
      deps.store.drop(live);
      open.delete(live.id);
      const by = await find(live.id);
      tell(live, by ? { kind: "replaced", by } : { kind: "gone" });
      return by;
    },
    forget(live) {
      live.gone = true;
      open.delete(live.id);
      tell(live, { kind: "gone" });
      deps.bus.emit({ type: "dialog-removed", dialogId: live.id });
    },
  };
}
