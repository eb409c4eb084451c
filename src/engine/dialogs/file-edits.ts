import { cleanCharacters } from "../../dialog/clean.ts";
import { addMeta } from "../../dialog/edit.ts";
import { generationOf } from "../../dialog/events/events-of.ts";
import type { Dialog } from "../../dialog/model.ts";
import { parseDialogFilename } from "../../dialog/name.ts";
import { parseDialog } from "../../dialog/parse.ts";
import { recover } from "../../dialog/recover.ts";
import { deliveredIn, removedLine } from "../../dialog/replies.ts";
import { runOf } from "../../dialog/run.ts";
import { human } from "../../fs/actor.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import type { EventBus } from "../events.ts";
import type { Runs } from "../scheduler/runs.ts";
import type { Backgrounds } from "../turn/background.ts";
import { type DialogAccess, isBusy } from "./dialog-access.ts";
import { announce } from "./dispatch.ts";
import type { Live } from "./live.ts";
import { notStored, type Outcome, refused } from "./outcome.ts";
import type { Registry } from "./registry.ts";
import type { DialogStore } from "./store.ts";

export interface FileEditsDeps {
  readonly store: Pick<DialogStore, "other">;
  readonly bus: EventBus;
  readonly registry: Pick<Registry, "find" | "forget" | "handOver">;
  readonly backgrounds: Pick<Backgrounds, "stopAllOf">;
  readonly runs: Pick<Runs, "read" | "members">;
  readonly withLive: DialogAccess["withLive"];
  readonly now: () => Date;
}

/** What the user does to the file of a dialog. */
export interface FileEdits {
  /** The user edited the file. The new text counts from now on, and the file notes the edit. */
  replace(filename: string, text: string, expect: number | null | undefined): Promise<Outcome<number>>;
  /** `expect`: removes only this version of the file. Undefined: any. */
  remove(filename: string, expect: number | null | undefined): Promise<Outcome<null>>;
}

export function createFileEdits({ store, bus, registry, backgrounds, runs, withLive, now }: FileEditsDeps): FileEdits {
  return {
    async replace(filename, text, expect) {
      const id = idOf(filename);
      const path = vibeyPath(filename);
      const write = async (live: Live | null): Promise<Outcome<number>> => {
        if (live && isBusy(live)) return refused({ kind: "active" });
        if (live && live.path !== path) return refused({ kind: "exists", filename: live.path.slice("vibey/".length) });
        // A text field turns a CR into a line end, so convert it now.
        const clean = cleanCharacters(text);
        const whole = recover(clean.endsWith("\n") ? clean : `${clean}\n`);
        const data = live ? whole + editedMarks(whole, live.state.dialog, now().toISOString()) : whole;
        const stored = await store.other([{ op: "write", path, data }], {
          durability: "strict",
          by: human,
          expect: [{ path, version: expect === undefined ? (live?.version ?? null) : expect }],
        });
        if (!stored.ok) return stored.failure.kind === "conflict" ? refused({ kind: "changed", ids: [] }) : notStored(stored.failure.kind);
        const reopened = live ? await registry.handOver(live) : await registry.find(id);
        if (reopened && !live) announce(reopened, bus);
        return { ok: true, value: reopened?.version ?? stored.version };
      };
      const done = await withLive(id, write);
      return !done.ok && done.refusal.kind === "unknown-dialog" ? write(null) : done;
    },
    remove: (filename, expect) =>
      withLive(idOf(filename), async (live) => {
        if (live.path !== vibeyPath(filename)) return refused({ kind: "unknown-dialog" });
        if (isBusy(live)) return refused({ kind: "active" });
        if (await leadsOthers(live, runs)) return refused({ kind: "run-active" });
        const stored = await store.other([{ op: "remove", path: live.path }], {
          durability: "strict",
          by: human,
          ...(expect === undefined ? {} : { expect: [{ path: live.path, version: expect }] }),
        });
        if (!stored.ok) return stored.failure.kind === "conflict" ? refused({ kind: "changed", ids: [] }) : notStored(stored.failure.kind);
        backgrounds.stopAllOf(live.id);
        registry.forget(live);
        return { ok: true, value: null };
      }),
  };
}

/** The user's settings of a run are in its root. Without them, paused agents would start, and running agents would have different limits. */
async function leadsOthers({ id, state: { dialog } }: Live, runs: FileEditsDeps["runs"]): Promise<boolean> {
  if (runOf(dialog.head)?.run !== id) return false;
  await runs.read(id);
  return runs.members(id).some(({ dialogId, status, isAsking }) => dialogId !== id && (status === "active" || isAsking));
}

function idOf(filename: string): string {
  const parsed = parseDialogFilename(filename);
  if (!parsed) throw new RangeError(`not a dialog's file name: ${filename}`);
  return parsed.dialogId;
}

/**
 * Notes the edit in the file, and which messages of other agents were removed, so that they aren't delivered again. If the user removed earlier
 * edit lines, the same number is added again, so that each edit still increases the count by one.
 */
function editedMarks(file: string, before: Dialog, time: string): string {
  const dialog = parseDialog(file);
  const count = Math.max(1, generationOf(before) + 1 - generationOf(dialog));
  const left = deliveredIn(dialog);
  const { ops } = addMeta(dialog, [
    ...Array.from({ length: count }, () => ({ key: "Edited", value: time })),
    ...[...deliveredIn(before)].filter((value) => !left.has(value)).map(removedLine),
  ]);
  return ops.map((op) => op.text).join("");
}
