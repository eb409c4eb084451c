import { agentLines, withDefinition } from "../../dialog/agent.ts";
import { isTakenBack } from "../agents/allowed.ts";
import type { Change } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import { docAuthorized, docRevoked } from "../../dialog/authority.ts";
import type { Dialog } from "../../dialog/model.ts";
import { fromLine, type Mention, repliesToLine, roomLine } from "../../dialog/replies.ts";
import { asFormat2 } from "../../dialog/sections.ts";
import { addText, newDialog, openSection, pieces } from "../../dialog/edit.ts";
import { toolsOf } from "../../dialog/pattern.ts";
import { dialogFilename, dialogStamp, freeDialogId } from "../../dialog/name.ts";
import { problemLines, runLimitLine, runLimitNames, runLines } from "../../dialog/run.ts";
import { serialiseDialog } from "../../dialog/serialise.ts";
import type { Effect, MachineOptions, State } from "../turn/machine/model.ts";
import { step } from "../turn/machine/step.ts";
import { unaskedTools } from "../../dialog/levels.ts";
import type { DialogsDeps } from "./deps.ts";
import { readMain } from "./docs.ts";
import { forkedDialog, forkLines, headerModel } from "./fork.ts";
import { sideForkLine, withOrigin } from "./side.ts";
import { listDialogs } from "./open.ts";
import type { NewDialog, ReplyTask } from "./new-dialog.ts";

export interface Prepared {
  readonly id: string;
  readonly filename: string;
  readonly path: Path;
  readonly state: State;
  readonly text: string;
  /** Writes the file, which must not exist yet. */
  readonly change: Change;
  readonly effects: readonly Effect[];
}

/**
 * Prepares a new dialog without storing anything. It starts with the permissions in doc-main.md. With a prompt it is `active` from the start, and
 * `effects` requests the first response.
 */
function prepareDialog(
  wanted: NewDialog,
  facts: { readonly id: string; readonly now: Date; readonly main: string | null; readonly mentions: readonly Mention[] },
  options: MachineOptions,
): Prepared {
  const { id, mentions } = facts;
  const time = facts.now.toISOString();
  const { reply } = wanted;
  // The agent's file gives it tools that need no decision each time, such as reading or `signal_parent`. The user can revoke these lines.
  const asks = new Set(wanted.agent?.asks);
  const { run } = wanted;
  const taken = [...docRevoked(facts.main ?? "").keys()];
  const revoked = new Set(run ? taken.flatMap(inRun) : taken);
  const takenBack = wanted.takenBack ?? new Set<string>();
  const unasked = run?.asMain === false ? [] : (wanted.agent?.tools.filter((tool) => unaskedTools.has(tool)) ?? []);
  const byMain = facts.main === null || run?.asMain === false ? [] : [...docAuthorized(facts.main)];
  const said = run ? [...byMain.flatMap(inRun), ...[...run.authorized].filter((value) => !revoked.has(value))] : byMain;
  const lets = (value: string): boolean =>
    !toolsOf(value).some((tool) => asks.has(tool)) && (wanted.allowed?.has(value) ?? true) && !isTakenBack(value, takenBack);
  const reads = unasked.filter((tool) => !asks.has(tool) && !revoked.has(tool) && !takenBack.has(tool));
  const authority = [...new Set(said)].filter((value) => !reads.includes(value) && lets(value));
  // The prompt may go to a different model than the one that answered in the copied messages.
  const begun = wanted.fork ? headerModel(wanted.fork) : wanted;
  const { dialog: empty } = newDialog([
    { key: "Provider", value: begun.provider },
    { key: "Model", value: begun.model },
    { key: "Started", value: time },
    ...(wanted.agent ? agentLines(wanted.agent) : []),
    ...(run ? runLines({ run: run.root ?? id, file: run.file, input: run.input }) : []),
    ...problemLines(run?.problems ?? []),
    ...(run?.limits ? runLimitNames.map((name) => runLimitLine(name, run.limits?.[name] ?? 0)) : []),
    ...(wanted.launchedBy === null ? [] : [{ key: "Launched by", value: wanted.launchedBy }]),
    ...(wanted.continuedFrom === undefined ? [] : [{ key: "Continued from", value: wanted.continuedFrom }]),
    ...(wanted.fork ? forkLines(wanted.fork) : []),
    ...(wanted.side ? [sideForkLine(wanted.side)] : []),
    ...(reply ? [repliesToLine(reply.to)] : []),
    ...(wanted.schedule === undefined ? [] : [{ key: "Schedule", value: wanted.schedule }]),
    ...(wanted.room === undefined ? [] : [roomLine(wanted.room)]),
    ...[...takenBack].map((value) => ({ key: "Revoked", value })),
    ...[...reads, ...authority].map((value) => ({ key: "Authorized", value })),
  ]);
  // The messages of a fork already have the agent's definition.
  const plain = wanted.room === undefined ? empty : asFormat2(empty);
  const begins = wanted.agent ? withDefinition(plain, wanted.agent) : plain;
  const forked = wanted.fork ? forkedDialog(begins, wanted.fork, time, options) : begins;
  const about = wanted.side ? withOrigin(forked, wanted.side, mentions, time) : forked;
  const dialog = reply ? withContext(about, reply, time) : about;
  let state: State = { dialog, status: "waiting", turn: null };
  let effects: readonly Effect[] = [];
  if (wanted.prompt !== null) {
    const { provider, model, prompt } = wanted;
    const from = reply ? { from: { kind: "human", dialogId: reply.to.dialogId } as const } : {};
    const first = step(
      state,
      { type: "put", decisions: new Map(), authority: [], prompt, mentions, ...from, provider, model, time },
      options,
    );
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

/** The names in a run of a tool as doc-main.md calls it. Both names are one permission. */
const inRun = (value: string): readonly string[] =>
  value === "write_file" ? ["vfs_write"] : value === "launch_agent" ? ["spawn_agent"] : [value];

/** Adds what was said in the other dialog before the message to answer. */
function withContext(dialog: Dialog, { to, context }: ReplyTask, time: string): Dialog {
  const head = [{ key: "Time", value: time }, fromLine({ kind: "context", dialogId: to.dialogId })];
  return addText(openSection(asFormat2(dialog), "user", head, { open: false }).dialog, context).dialog;
}

/** Creates new dialogs one by one, so that a free id stays free until its file is stored. */
export interface Creation {
  oneByOne<T>(work: () => Promise<T>): Promise<T>;
  /** Free ids for new dialogs with these slugs. Call it inside `oneByOne`. */
  ids(slugs: readonly string[]): Promise<string[]>;
  /** Call it inside `oneByOne`. `id` is one of `ids`. If it is left out, a free id is used. */
  prepare(wanted: NewDialog, how?: { readonly id?: string | undefined; readonly mentions?: readonly Mention[] }): Promise<Prepared>;
}

export function createCreation(deps: Pick<DialogsDeps, "files" | "now">, options: MachineOptions): Creation {
  let last: Promise<unknown> = Promise.resolve();
  async function ids(slugs: readonly string[], now = deps.now()): Promise<string[]> {
    const taken = new Set((await listDialogs(deps.files, dialogStamp(now))).map(({ dialogId }) => dialogId));
    return slugs.map((slug) => {
      const id = freeDialogId(now, slug, (one) => taken.has(one));
      taken.add(id);
      return id;
    });
  }
  return {
    oneByOne(work) {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
    ids: (slugs) => ids(slugs),
    async prepare(wanted, { id, mentions = [] } = {}) {
      const now = deps.now();
      const found = id ?? (await ids([wanted.slug], now))[0];
      if (found === undefined) throw new RangeError("no id was made for a new dialog");
      return prepareDialog(wanted, { id: found, now, main: await readMain(deps.files), mentions }, options);
    },
  };
}
