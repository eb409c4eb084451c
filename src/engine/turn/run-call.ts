import type { CommitFailure, CommitResult, Files } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import type { Call, Dialog } from "../../dialog/model.ts";
import type { Event } from "./machine/model.ts";
import { limits } from "../../protocol/limits.ts";
import type { FileChanges } from "../projections/file-changes.ts";
import { ranWith } from "../../dialog/call-json.ts";
import { dialogCalls } from "../../dialog/edit.ts";
import { admitChanges, type Admitted } from "../permissions/permissions.ts";
import type { LiveOutput, RunOutcome, Sandbox, SandboxChange } from "../../shell/sandbox.ts";
import type { Network } from "../../shell/network.ts";
import { slices } from "../slices.ts";
import { backgroundResult, type CommandLimit, commandResult, isBackground, runCommandDefinition } from "./tools/run-command.ts";
import { memoryPath } from "./tools/memory.ts";
import type { Plan, PlannedTool } from "./tools/tool.ts";
import type { Backgrounds } from "./background.ts";
import type { Dispatched } from "../dialogs/dispatch.ts";
import type { FileReads } from "../projections/file-reads.ts";
import type { Extra } from "../dialogs/store.ts";
import { withConflicts } from "./reader-of.ts";

export interface RunContext {
  readonly dialogId: string;
  readonly files: Files;
  readonly sandbox: Sandbox;
  /** The earlier content of files. */
  readonly fileChanges: FileChanges;
  readonly signal: AbortSignal;
  /** Null if the command has no network. */
  readonly network: Network | null;
  readonly backgrounds: Backgrounds;
  /** Called with what the command prints while it runs. */
  onOutput(output: LiveOutput): void;
  /** The command has to wait in the queue. */
  waits(): void;
  outputEnds(): void;
  /** The time limit of a command that starts now. */
  commandLimit(): CommandLimit;
  readonly now: () => Date;
  /** Stores files without the dialog, as a change by the dialog. */
  storeFiles(extra: Extra): Promise<CommitResult>;
  /** `stored` is called when the event is stored, before anything that follows from it. */
  dispatch(event: Event, extra?: Extra, stored?: (version: number) => void): Promise<Dispatched>;
  /** Which versions of files the agent knows. */
  readonly fileReads: FileReads;
  /** The dialog in its current state. */
  dialog(): Dialog;
  /** Another active agent of the run that has read the file since this agent read or wrote it. Null if there is none. */
  readingNow(path: Path): Promise<string | null>;
  /** Tells the user something that is not part of the result. */
  notice(message: string): void;
}

/** The maximum number of attempts if a file that the plan read keeps changing. */
const attempts = 5;

/**
 * The effect, the claim and the result are one transaction, so the call happens exactly once or not at all. `happened` is called if it did. A
 * call that can't be stored is answered with an error.
 */
export async function runPlanned(
  call: Call,
  tool: PlannedTool,
  context: RunContext,
  happened?: (version: number) => void,
): Promise<Dispatched> {
  for (let attempt = 1; ; attempt += 1) {
    const changedByOthers = (path: Path) => context.fileReads.changedByOthers(context.dialogId, context.dialog(), path);
    const planned = await tool.plan(call.input, { files: context.files, memory: memoryPath(context.dialog()), changedByOthers });
    const plan = await withConflicts(planned, (path) => context.readingNow(path));
    const done = await finish(call, plan, context, happened);
    if (!changedMeanwhile(done, plan) || attempt === attempts) return giveUp(call, done, context);
    // The plan is outdated, because a file that it read has changed. Nothing was stored, so plan again.
  }
}

async function finish(call: Call, plan: Plan, context: RunContext, happened?: (version: number) => void): Promise<Dispatched> {
  const event = { type: "finished", id: call.id, result: plan.result, time: context.now().toISOString() } as const;
  const done = await context.dispatch(event, plan, (version) => {
    if (plan.shows) context.fileReads.saw(context.dialogId, [plan.shows.path], plan.shows.version);
    context.fileReads.saw(context.dialogId, pathsOf(plan), version);
    happened?.(version);
  });
  if (done.ok && plan.notice !== undefined) context.notice(plan.notice);
  return done;
}

function pathsOf({ changes }: Extra): Path[] {
  return changes.flatMap((change) => ("path" in change ? [change.path] : []));
}

function changedMeanwhile(done: Dispatched, extra: Extra): boolean {
  if (done.ok || !("failure" in done)) return false;
  const { failure } = done;
  return failure.kind === "conflict" && extra.expect.some(({ path }) => path === failure.path);
}

/** Stores a failed result so that the turn can continue and the model and the user learn why, for example because of a full disk. */
async function giveUp(call: Call, done: Dispatched, context: RunContext, early?: Early): Promise<Dispatched> {
  if (done.ok || !("failure" in done) || done.failure.kind === "fenced") return done;
  const error = early && early.stored > 0 ? partText(done.failure, early) : failureText(done.failure);
  return context.dispatch({ type: "finished", id: call.id, result: { success: false, error }, time: context.now().toISOString() });
}

type Failure = Extract<Dispatched, { failure: unknown }>["failure"];

function failureText(failure: Failure): string {
  switch (failure.kind) {
    case "full":
      return "the browser's storage is full; nothing was changed";
    case "conflict":
      return `${failure.path} kept changing during this call. Nothing was changed. Read it again and retry.`;
    default:
      return `couldn't be saved (${failure.kind}); nothing was changed`;
  }
}

/** The files of earlier slices are stored, so "nothing was changed" would not be true. */
function partText(failure: Failure, { stored, all }: Early): string {
  const part = `${stored} of the ${all} files that the command changed were stored, each whole; the others are as they were before`;
  if (failure.kind === "full") return `the browser's storage is full; ${part}`;
  return failure.kind === "conflict"
    ? `${failure.path} kept changing while this ran; ${part}`
    : `could not be stored (${failure.kind}); ${part}`;
}

/**
 * A command runs outside the store. It is claimed strictly right before it begins, and is never run again. While it waits in the queue, nothing
 * is claimed. Its changes are stored in one transaction with its result. If many files changed, only the last slice is stored with the result.
 */
export async function runCommand(call: Call, context: RunContext): Promise<Dispatched> {
  const { command } = call.input;
  if (typeof command !== "string") throw new TypeError("run_command was started without its input having been checked");
  if (isBackground(call.input)) return startBackground(call, command, context);
  const limit = context.commandLimit();
  // After a reload, the claim's time tells what the agent had seen. So it must not be later than the moment when the files are read.
  let seenAt = context.fileReads.now();
  let time = context.now().toISOString();
  let claimed: Promise<Dispatched> | undefined;
  let stored: Promise<Dispatched> | undefined;
  const outcome = await context.sandbox.run(command, {
    session: context.dialogId,
    timeoutMs: limit.seconds * 1000,
    maxBytes: limits.commandOutputBytes,
    signal: context.signal,
    onOutput: (output) => context.onOutput(output),
    background: (operands, signal) => context.backgrounds.answer(context.dialogId, startedBefore(context.dialog()), operands, signal),
    ...(context.network ? { network: context.network } : {}),
    waits: () => context.waits(),
    begins() {
      seenAt = context.fileReads.now();
      time = context.now().toISOString();
    },
    async claim() {
      claimed ??= claim(call, time, context);
      return (await claimed).ok;
    },
    async commit(ended) {
      context.outputEnds();
      stored = storeOutcome(call, ended, { seenAt, limit }, context);
      // The return value tells whether it was stored. The sandbox only waits for it.
      await stored.catch(() => undefined);
    },
  });
  const began = await claimed;
  if (began?.ok === false) return began;
  // A command that was stopped before it began has nothing to commit, but still gets a result.
  return stored ?? storeOutcome(call, outcome, { seenAt, limit }, context);
}

function claim({ id }: Call, time: string, context: RunContext): Promise<Dispatched> {
  return context.dispatch({ type: "claimed", id, time });
}

/** Claims the call, then starts the command. The result says only that it was started. Later commands read its output. */
async function startBackground(call: Call, command: string, context: RunContext): Promise<Dispatched> {
  const { dialogId, network, backgrounds } = context;
  const claimed = await claim(call, context.now().toISOString(), context);
  if (!claimed.ok) return claimed;
  const number = startedBefore(context.dialog(), call.id) + 1;
  const started = context.signal.aborted
    ? { ok: false as const, why: "stopped before it began" }
    : backgrounds.start({ dialogId, number, command, network });
  const result = started.ok ? backgroundResult(started.id, started.mostMs) : { success: false, error: started.why };
  const done = await context.dispatch({ type: "finished", id: call.id, result, time: context.now().toISOString() });
  // Without a stored result, no one could ever read its output.
  if (started.ok && !done.ok) backgrounds.stop(dialogId, started.id);
  return done;
}

/** How many background commands the dialog has, or had before this call. A dialog never uses an id twice. */
function startedBefore(dialog: Dialog, callId: string | null = null): number {
  const calls = dialogCalls(dialog).filter((one) => one.name === runCommandDefinition.name && isBackground(ranWith(one)));
  const at = calls.findIndex(({ id }) => id === callId);
  return at < 0 ? calls.length : at;
}

interface Began {
  /** The version of the store before the command could read anything. */
  readonly seenAt: number;
  readonly limit: CommandLimit;
}

async function storeOutcome(call: Call, outcome: RunOutcome, { seenAt, limit }: Began, context: RunContext): Promise<Dispatched> {
  const early = await storeEarly(outcome.changes, context);
  if (early.failure) return giveUp(call, { ok: false, failure: early.failure }, context, early);
  for (let attempt = 1; ; attempt += 1) {
    const admitted = await admitChanges(early.rest, { files: context.files, fileChanges: context.fileChanges });
    const result = commandResult(outcome, [...early.notes, ...admitted.notes], limit);
    const event = { type: "finished", id: call.id, result, time: context.now().toISOString() } as const;
    const done = await context.dispatch(event, admitted, (version) => {
      context.fileReads.ran(context.dialogId, call.id, seenAt);
      saw(admitted, version, context);
    });
    if (!changedMeanwhile(done, admitted) || attempt === attempts) {
      if (done.ok) for (const notice of [...early.notices, ...admitted.notices]) context.notice(notice);
      return giveUp(call, done, context, early);
    }
  }
}

interface Early extends Pick<Admitted, "notes" | "notices"> {
  /** The changes to store with the result. */
  readonly rest: readonly SandboxChange[];
  /** How many of the changed files are already stored. */
  readonly stored: number;
  readonly all: number;
  /** Why storing stopped early. */
  readonly failure: CommitFailure | null;
}

/**
 * If a command changed many files, stores all but the last slice, one slice at a time. One transaction would block everything else for seconds.
 * After a crash in between, some files are stored, each complete, and the call says that it may have run.
 */
async function storeEarly(changes: readonly SandboxChange[], context: RunContext): Promise<Early> {
  const notes: string[] = [];
  const notices: string[] = [];
  let stored = 0;
  const early = (rest: readonly SandboxChange[], failure: CommitFailure | null): Early => ({
    rest,
    stored,
    all: changes.length,
    failure,
    notes,
    notices,
  });
  if (changes.length <= limits.wholeCommitFiles) return early(changes, null);
  const parts = [...slices(changes, ({ bytes }) => bytes?.length ?? 0)];
  const last = parts.pop() ?? [];
  for (const part of parts) {
    for (let attempt = 1; ; attempt += 1) {
      const admitted = await admitChanges(part, { files: context.files, fileChanges: context.fileChanges });
      const done = admitted.changes.length === 0 ? null : await context.storeFiles(admitted);
      if (done === null || done.ok) {
        stored += part.length;
        if (done) saw(admitted, done.version, context);
        notes.push(...admitted.notes);
        notices.push(...admitted.notices);
        break;
      }
      if (done.failure.kind !== "conflict" || attempt === attempts) return early([], done.failure);
    }
  }
  return early(last, null);
}

/** Notes the changed files as seen, except files that others changed as well: the agent hasn't seen their merged content. */
function saw(admitted: Admitted, version: number, context: RunContext): void {
  const merged = new Set(admitted.merged);
  context.fileReads.saw(
    context.dialogId,
    pathsOf(admitted).filter((path) => !merged.has(path)),
    version,
  );
}
