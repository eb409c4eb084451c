import type { Files } from "../../fs/files.ts";
import { vibey } from "../../fs/actor.ts";
import { addMeta, addText, newDialog, openSection, timeValue } from "../../dialog/edit.ts";
import { ASSIST_SLUG, assistLine, isAssistRecord, RECORD_FORMAT } from "../../dialog/outside.ts";
import { asFormat } from "../../dialog/sections.ts";
import { cachedLines, type Cost, costLines } from "../cost/lines.ts";
import type { Usage } from "../cost/usage.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import { listDialogs } from "../dialogs/open.ts";
import { draft } from "../turn/machine/draft.ts";
import { usageLines } from "../turn/machine/usage.ts";

/** A provider's work for a program outside that belongs to no dialog: it transcribed a recording, spoke a text, or translated one. */
export interface Assisted {
  readonly provider: string;
  readonly model: string;
  readonly began: Date;
  /** What the provider did, in a sentence. Without the text itself, which belongs to the program. */
  readonly words: string;
  /** Null: no tokens were reported. */
  readonly usage: Usage | null;
  /** What was used, if that isn't only tokens: `312 characters`, `12 seconds`. */
  readonly used: string | null;
  /** Null: unknown. */
  readonly cost: Cost | null;
}

export interface AssistRecordDeps {
  readonly dialogs: Pick<Dialogs, "createRecord" | "changeRecord" | "get">;
  readonly files: Files;
  readonly now: () => Date;
}

/** The record of such calls: one dialog file per month with calls. */
export interface AssistRecord {
  /** Stored when this resolves. False: it couldn't be stored. */
  add(assisted: Assisted): Promise<boolean>;
}

export function createAssistRecord({ dialogs, files, now }: AssistRecordDeps): AssistRecord {
  let last: Promise<unknown> = Promise.resolve();
  let known: string | null = null;

  async function find(month: string): Promise<string | null> {
    const found = known === null ? (await listDialogs(files, month)).map(({ dialogId }) => dialogId) : [known];
    for (const id of found) {
      if (!id.startsWith(month) || !id.slice("20261126-090000-".length).startsWith(ASSIST_SLUG)) continue;
      const live = await dialogs.get(id);
      if (live && isAssistRecord(live.state.dialog)) return id;
    }
    return null;
  }

  async function create(): Promise<string | null> {
    const { dialog } = newDialog([{ key: "Started", value: now().toISOString() }, assistLine]);
    const made = await dialogs.createRecord(ASSIST_SLUG, asFormat(dialog, RECORD_FORMAT), vibey, "done");
    return made.ok ? made.value.id : null;
  }

  async function write(assisted: Assisted): Promise<boolean> {
    const end = now();
    known = await find(end.toISOString().slice(0, 7).replace("-", ""));
    known ??= await create();
    if (known === null) return false;
    const stored = await dialogs.changeRecord(known, vibey, ({ state }) => {
      const file = draft(state.dialog);
      const head = [
        { key: "Time", value: timeValue(assisted.began.toISOString(), end.toISOString()) },
        { key: "Provider", value: assisted.provider },
        { key: "Model", value: assisted.model },
      ];
      file.edit((dialog) => openSection(dialog, "assistant", head, { open: false }));
      file.edit((dialog) => addText(dialog, assisted.words));
      const lines = [
        ...(assisted.usage === null ? [] : [...usageLines(file.dialog, assisted.usage), ...cachedLines(assisted.usage)]),
        ...(assisted.used === null ? [] : [{ key: "Used", value: assisted.used }]),
        ...(assisted.cost === null ? [] : costLines(file.dialog, assisted.cost)),
      ];
      if (lines.length > 0) file.edit((dialog) => addMeta(dialog, lines));
      return { taken: { state: { ...state, dialog: file.dialog }, ops: file.ops, durability: "strict" }, value: null };
    });
    return stored.ok;
  }

  return {
    // One call after another, so that two calls don't create two files.
    add(assisted) {
      const adding = last.then(() => write(assisted));
      last = adding.catch(() => undefined);
      return adding;
    },
  };
}
