import { agentLines, withDefinition } from "../../dialog/agent.ts";
import type { Change } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import { docAuthorized } from "../../dialog/authority.ts";
import { newDialog, pieces } from "../../dialog/edit.ts";
import { dialogFilename, dialogStamp, freeDialogId } from "../../dialog/name.ts";
import { serialiseDialog } from "../../dialog/serialise.ts";
import type { Effect, MachineOptions, State } from "../turn/machine/model.ts";
import { step } from "../turn/machine/step.ts";
import type { DialogsDeps } from "./deps.ts";
import { readMain } from "./docs.ts";
import { forkedDialog, forkLines, headerModel } from "./fork.ts";
import { listDialogs } from "./open.ts";
import type { NewDialog } from "./new-dialog.ts";

export interface Prepared {
  readonly id: string;
  readonly filename: string;
  readonly path: Path;
  readonly state: State;
  readonly text: string;
  /** Writes the file; it must not exist. */
  readonly change: Change;
  readonly effects: readonly Effect[];
}

/**
 * A new dialog as a value: nothing is stored. It starts with the authority that doc-main.md gives. With a prompt it is
 * `active` from its first byte on, and `effects` asks for the first response.
 */
function prepareDialog(
  wanted: NewDialog,
  facts: { readonly now: Date; readonly main: string | null; readonly taken: (id: string) => boolean },
  options: MachineOptions,
): Prepared {
  const time = facts.now.toISOString();
  const id = freeDialogId(facts.now, wanted.slug, facts.taken);
  // A prompt may go to another model than the one that answered in what is taken along.
  const begun = wanted.fork ? headerModel(wanted.fork) : wanted;
  const { dialog: empty } = newDialog([
    { key: "Provider", value: begun.provider },
    { key: "Model", value: begun.model },
    { key: "Started", value: time },
    ...(wanted.agent ? agentLines(wanted.agent) : []),
    ...(wanted.launchedBy === null ? [] : [{ key: "Launched by", value: wanted.launchedBy }]),
    ...(wanted.continuedFrom === undefined ? [] : [{ key: "Continued from", value: wanted.continuedFrom }]),
    ...(wanted.fork ? forkLines(wanted.fork) : []),
    ...(facts.main === null ? [] : [...docAuthorized(facts.main)].map((tool) => ({ key: "Authorized", value: tool }))),
  ]);
  // What a fork takes along has its definition already.
  const begins = wanted.agent ? withDefinition(empty, wanted.agent) : empty;
  const dialog = wanted.fork ? forkedDialog(begins, wanted.fork, time, options) : begins;
  let state: State = { dialog, status: "waiting", turn: null };
  let effects: readonly Effect[] = [];
  if (wanted.prompt !== null) {
    const { provider, model, prompt } = wanted;
    const first = step(state, { type: "put", decisions: new Map(), authority: [], prompt, provider, model, time }, options);
    if (!first.ok) throw new Error(`a new dialog refused its first prompt: ${first.refusal.kind}`);
    ({ state, effects } = first);
  }
  const filename = dialogFilename(id, state.status);
  const path = vibeyPath(filename);
  return {
    id,
    filename,
    path,
    state,
    text: serialiseDialog(state.dialog),
    change: { op: "write", path, data: pieces(state.dialog) },
    effects,
  };
}

/** Makes new dialogs of a project, one by one: an id that is free stays free until its file is there. */
export interface Creation {
  oneByOne<T>(work: () => Promise<T>): Promise<T>;
  /** Inside `oneByOne`. */
  prepare(wanted: NewDialog): Promise<Prepared>;
}

export function createCreation(deps: Pick<DialogsDeps, "files" | "now">, options: MachineOptions): Creation {
  let last: Promise<unknown> = Promise.resolve();
  return {
    oneByOne(work) {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
    async prepare(wanted) {
      const now = deps.now();
      const taken = new Set((await listDialogs(deps.files, dialogStamp(now))).map(({ dialogId }) => dialogId));
      return prepareDialog(wanted, { now, main: await readMain(deps.files), taken: (id) => taken.has(id) }, options);
    },
  };
}
