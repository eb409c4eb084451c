import { vibeyPath } from "../../fs/vibey-name.ts";
import type { Activity, Frame, PutDialogBody } from "../api.ts";
import { addMeta } from "../format/edit.ts";
import { cleanCharacters } from "../format/clean.ts";
import type { Call } from "../format/model.ts";
import { parseDialogFilename } from "../format/name.ts";
import { parseDialog } from "../format/parse.ts";
import { recover } from "../format/recover.ts";
import { limits } from "../limits.ts";
import type { AuthorityChange, Effect, Event, MachineOptions, Refusal } from "../machine/model.ts";
import { callsOf, isUndecided, lastCalls } from "../machine/queries.ts";
import { currentModel, currentProvider } from "../machine/settle.ts";
import { checkLaunch, launchAgent, launchInput } from "../tools/launch-agent.ts";
import { checkRunCommand, runCommandDefinition } from "../tools/run-command.ts";
import type { Plan, PlannedTool } from "../tools/tool.ts";
import { systemPrompt } from "../system.ts";
import { type NewDialog, type Prepared, prepareDialog } from "./create.ts";
import type { DialogsDeps } from "./deps.ts";
import { announce, dispatch, type Dispatched } from "./dispatch.ts";
import { inOrder, type Live, tell, type Work } from "./live.ts";
import { type DialogFile, listDialogs, makeLive, openDialog } from "./open.ts";
import { endText, respond } from "./respond.ts";
import { runCommand, type RunContext, runPlanned } from "./run-call.ts";
import { turnResult } from "./turn-result.ts";
import { callHash } from "./view.ts";

export type PutRefusal =
  | Refusal
  | { readonly kind: "unknown-dialog" }
  /** The calls read otherwise now than when the human decided. */
  | { readonly kind: "changed"; readonly ids: readonly string[] }
  | { readonly kind: "storage"; readonly message: string };

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: PutRefusal };

export interface PutDialog {
  readonly decisions: ReadonlyMap<string, "approve" | "deny">;
  readonly authority: readonly AuthorityChange[];
  readonly hashes: NonNullable<PutDialogBody["hashes"]>;
  readonly prompt: string | null;
  readonly provider: string | null;
  readonly model: string | null;
}

/**
 * The dialogs of a project: made, continued, stopped, read. Everything a dialog is stands in its file; what is here is
 * what happens to it right now, and the order in which it happens.
 */
export interface Dialogs {
  list(): Promise<DialogFile[]>;
  /** The dialog with this id, opened; null when there is none. */
  get(id: string): Promise<Live | null>;
  /** `onFrame` hears of the first turn, when there is one, from its first frame on. */
  create(wanted: NewDialog, onFrame?: (frame: Frame) => void): Promise<Outcome<Live>>;
  put(id: string, wanted: PutDialog, onFrame?: (frame: Frame) => void): Promise<Outcome<Live>>;
  setStatus(id: string, status: "waiting" | "done"): Promise<Outcome<Live>>;
  /** The human edited the file: the text is the new truth, and the file says that it was edited. */
  replace(filename: string, text: string, expect: number | null | undefined): Promise<Outcome<number>>;
  remove(filename: string): Promise<Outcome<null>>;
  /** Marks what an engine that is gone left `active`. */
  recoverAll(): Promise<void>;
}

export function createDialogs(deps: DialogsDeps, providers: readonly string[]): Dialogs {
  const open = new Map<string, Promise<Live | null>>();
  let creating: Promise<unknown> = Promise.resolve();
  const options: MachineOptions = { check: checkCall, requestsPerTurn: limits.requestsPerTurn };
  const tools: readonly Pick<PlannedTool, "definition" | "check">[] = [
    { definition: runCommandDefinition, check: checkRunCommand },
    ...deps.fileTools,
    { definition: launchAgent, check: (input) => checkLaunch(input, providers) },
  ];
  const definitions = tools.map((tool) => tool.definition);
  const machine = { store: deps.store, bus: deps.bus, options };

  function checkCall(call: { readonly name: string; readonly input: Call["input"] }): string | null {
    const keys = Object.keys(call.input);
    if (keys.length === 1 && keys[0] === "invalid") return "the input was no whole JSON object; nothing was run";
    const tool = tools.find(({ definition }) => definition.name === call.name);
    return tool ? tool.check(call.input) : `Unknown tool: ${call.name}`;
  }

  const now = () => deps.now().toISOString();

  async function find(id: string): Promise<Live | null> {
    const known = open.get(id);
    if (known) return known;
    const opening = load(id);
    open.set(id, opening);
    const live = await opening.catch((error: unknown) => {
      open.delete(id);
      throw error;
    });
    if (!live) open.delete(id);
    return live;
  }

  async function load(id: string): Promise<Live | null> {
    const file = (await listDialogs(deps.files)).find(({ dialogId }) => dialogId === id);
    const live = file ? await openDialog(deps.files, file, deps.revisions) : null;
    if (!live || !file) return null;
    follow(live);
    await recoverOne(live, file.mtime);
    await readBefore(live);
    return live;
  }

  function follow(live: Live): void {
    live.lost = (failure) => void lostText(live, failure.kind);
  }

  /** Streamed text could not be stored. The file is the truth: what was only shown is taken back, and the human is told. */
  async function lostText(live: Live, why: string): Promise<void> {
    live.work?.abort.abort();
    live.work = null;
    live.activity = null;
    const message = why === "full" ? "The browser's storage is full." : `The dialog's file could not be written (${why}).`;
    deps.bus.emit({
      type: "notice",
      kind: "storage",
      message: `${message} The agent was stopped; what stands in the file is kept.`,
      dialogId: live.id,
    });
    frame(live, { type: "error", error: message });
    const { turn } = live.state;
    const now = await handOver(live);
    if (turn) frame(live, { type: "done", result: { ...turnResult(now ?? live, { turn, calls: [], interrupted: true }), status: now?.state.status ?? "waiting" } });
    live.frames.clear();
  }

  /** The file is read again, and whoever followed the dialog follows what was read. */
  async function handOver(live: Live): Promise<Live | null> {
    open.delete(live.id);
    const by = await find(live.id);
    tell(live, by ? { kind: "replaced", by } : { kind: "gone" });
    return by;
  }

  async function recoverOne(live: Live, mtime: number): Promise<void> {
    const lostCalls = live.state.dialog.sections.flatMap(callsOf).some((call) => call.started !== null && call.result === undefined);
    if (live.state.dialog.format !== 1 || (live.state.status !== "active" && !lostCalls)) return;
    await dispatch(live, { type: "found", time: new Date(mtime).toISOString() }, machine);
  }

  /** Dispatches in the dialog's order and does what follows. */
  async function act(live: Live, event: Event, extra?: Parameters<typeof dispatch>[3]): Promise<Dispatched> {
    const done = await dispatch(live, event, machine, extra);
    if (done.ok) perform(live, done.effects);
    return done;
  }

  function perform(live: Live, effects: readonly Effect[]): void {
    for (const effect of effects) {
      switch (effect.type) {
        case "request":
          begin(live, (work) => askProvider(live, work, effect.provider, effect.model));
          break;
        case "run":
          begin(live, (work) => runCall(live, work, effect.call));
          break;
        case "abort":
          live.work?.abort.abort();
          live.work = null;
          setActivity(live, null);
          break;
        case "tool_request":
          void readBefore(live).then(() => tell(live, { kind: "state" }), deps.report);
          frame(live, {
            type: "tool_request",
            toolCalls: effect.calls.map(({ id, name, input }) => ({ id, name, input })),
            dialogId: live.id,
            filename: live.path.slice("vibey/".length),
          });
          break;
        case "failed":
          frame(live, { type: "error", error: effect.message });
          break;
        case "done":
          live.work = null;
          setActivity(live, null);
          frame(live, { type: "done", result: turnResult(live, effect) });
          live.frames.clear();
          break;
      }
    }
  }

  function frame(live: Live, what: Frame): void {
    for (const listener of live.frames) listener(what);
  }

  function setActivity(live: Live, activity: Activity | null): void {
    if (live.activity?.kind === activity?.kind && activity?.kind !== "running" && activity?.kind !== "retrying") return;
    live.activity = activity;
    tell(live, { kind: "state" });
    announce(live, deps.bus);
  }

  /** Starts what goes on by itself. A mistake of ours in it must not leave a dialog that seems to work for ever. */
  function begin(live: Live, run: (work: Work) => Promise<void>): void {
    const work: Work = live.work ?? { abort: new AbortController(), writer: null, usage: null };
    live.work = work;
    run(work).catch(async (error: unknown) => {
      deps.report(error);
      if (live.work !== work) return;
      const message = error instanceof Error ? error.message : String(error);
      frame(live, { type: "error", error: `Vibey failed: ${message}` });
      deps.bus.emit({
        type: "notice",
        kind: "fault",
        message: `Vibey failed in this dialog and stopped it: ${message}`,
        dialogId: live.id,
      });
      await setStatus(live.id, "waiting");
    });
  }

  async function askProvider(live: Live, work: Work, name: string, model: string): Promise<void> {
    work.writer = null;
    work.usage = null;
    setActivity(live, { kind: "thinking" });
    const provider = deps.provider(name);
    const end = (message: string) =>
      inOrder(live, () =>
        act(live, { type: "ended", stop: { kind: "error", reason: "bad-request", message }, usage: null, tail: null, time: now() }),
      );
    if (!provider) {
      await end(`there is no provider ${name} here; choose another one`);
      return;
    }
    const { dialog } = live.state;
    // The section that the answer will stand in is open already; the request is about what stands before it.
    const asked = { ...dialog, sections: dialog.sections.slice(0, -1) };
    const system = systemPrompt({ main: await readMain(), docs: await otherDocs(), sandbox: deps.sandboxAbout });
    if (live.work !== work) return;
    await respond(
      live,
      work,
      provider,
      { dialog: asked, model, system, tools: definitions },
      {
        dispatch: (event) =>
          inOrder(live, async () => {
            if (live.work !== work) return false;
            const done = await act(live, event);
            if (!done.ok && "failure" in done) await lostText(live, done.failure.kind);
            return done.ok;
          }),
        chunk: (content) => frame(live, { type: "chunk", content }),
        activity: (activity) => setActivity(live, activity),
        now: deps.now,
      },
    );
  }

  async function runCall(live: Live, work: Work, call: Call): Promise<void> {
    setActivity(live, { kind: "running", callId: call.id, tool: call.name });
    const context: RunContext = {
      dialogId: live.id,
      files: deps.files,
      sandbox: deps.sandbox,
      signal: work.abort.signal,
      now: deps.now,
      dispatch: (event, extra) => inOrder(live, () => act(live, event, extra)),
      notice: (message) => deps.bus.emit({ type: "notice", kind: "authority", message, dialogId: live.id }),
    };
    // Agents read the dialogs' files: what is shown is there.
    await deps.store.flush();
    const done = await runTool(live, call, context);
    if (!done.ok && "failure" in done) await lostText(live, done.failure.kind);
  }

  function runTool(live: Live, call: Call, context: RunContext): Promise<Dispatched> {
    if (call.name === runCommandDefinition.name) return runCommand(call, context);
    const fileTool = deps.fileTools.find(({ definition }) => definition.name === call.name);
    if (fileTool) return runPlanned(call, fileTool, context);
    if (call.name === launchAgent.name) return launch(live, call, context);
    throw new Error(`no tool ${call.name}; it should have been answered before`);
  }

  /** The new dialog's file, the claim and the result are one transaction; the new agent starts when it is stored. */
  function launch(live: Live, call: Call, context: RunContext): Promise<Dispatched> {
    return reserve(async () => {
      let prepared: Prepared | undefined;
      return runPlanned(
        call,
        {
          definition: launchAgent,
          check: (input) => checkLaunch(input, providers),
          plan: async (input): Promise<Plan> => {
            prepared = await prepare({ ...launchInput(input), launchedBy: live.id });
            const { id, filename, state } = prepared;
            const launched = {
              dialogId: id,
              filename,
              status: state.status,
              provider: currentProvider(state.dialog),
              model: currentModel(state.dialog),
            };
            return { changes: [prepared.change], expect: [{ path: prepared.path, version: null }], result: { success: true, launched } };
          },
        },
        context,
        async () => {
          if (prepared) await adopt(prepared);
        },
      );
    });
  }

  /** One creation at a time: an id that is free stays free until its file is there. */
  function reserve<T>(work: () => Promise<T>): Promise<T> {
    const result = creating.then(work);
    creating = result.catch(() => undefined);
    return result;
  }

  async function prepare(wanted: NewDialog): Promise<Prepared> {
    const taken = new Set((await listDialogs(deps.files)).map(({ dialogId }) => dialogId));
    return prepareDialog(wanted, { now: deps.now(), main: await readMain(), taken: (id) => taken.has(id) }, options);
  }

  /** Takes up a dialog whose file has just been stored. */
  async function adopt(prepared: Prepared, onFrame?: (frame: Frame) => void): Promise<Live> {
    const stat = await deps.files.stat(prepared.path);
    if (!stat) throw new Error(`${prepared.path} is gone right after it was stored`);
    const { id, path, state, text } = prepared;
    const live = makeLive({ id, path, version: stat.version, state, text, stale: false, revisions: deps.revisions });
    follow(live);
    open.set(id, Promise.resolve(live));
    if (onFrame) live.frames.add(onFrame);
    announce(live, deps.bus);
    perform(live, prepared.effects);
    return live;
  }

  async function readMain(): Promise<string | null> {
    const content = await deps.files.read(vibeyPath("doc-main.md"));
    return content ? new TextDecoder().decode(content.bytes) : null;
  }

  async function otherDocs(): Promise<string[]> {
    const stats = await deps.files.list("vibey/doc-");
    return stats.map(({ path }) => path.slice("vibey/".length)).filter((name) => name !== "doc-main.md");
  }

  /** What pending `write_file` calls would replace, so that the human sees what changes. */
  async function readBefore(live: Live): Promise<void> {
    live.before.clear();
    for (const call of lastCalls(live.state.dialog).filter(isUndecided)) {
      const text = call.name === "write_file" ? await deps.readForDiff(call.input["path"]) : null;
      if (text !== null) live.before.set(call.id, text);
    }
  }

  async function setStatus(id: string, status: "waiting" | "done"): Promise<Outcome<Live>> {
    const live = await find(id);
    if (!live) return { ok: false, refusal: { kind: "unknown-dialog" } };
    return inOrder(live, async () => {
      const { work } = live;
      const tail = work ? endText(work, false) : null;
      return settled(live, await act(live, { type: "stop", status, tail, usage: work?.usage ?? null, time: now() }));
    });
  }

  function settled(live: Live, done: Dispatched): Outcome<Live> {
    if (done.ok) return { ok: true, value: live };
    if ("refusal" in done) return { ok: false, refusal: done.refusal };
    return { ok: false, refusal: { kind: "storage", message: storageMessage(done.failure.kind) } };
  }

  return {
    list: () => listDialogs(deps.files),
    get: find,
    create: (wanted, onFrame) =>
      reserve(async () => {
        const prepared = await prepare(wanted);
        const stored = await deps.store.other([prepared.change], {
          durability: "strict",
          expect: [{ path: prepared.path, version: null }],
          by: `dialog ${prepared.id}`,
        });
        if (!stored.ok) return { ok: false, refusal: { kind: "storage", message: storageMessage(stored.failure.kind) } };
        return { ok: true, value: await adopt(prepared, onFrame) };
      }),
    async put(id, wanted, onFrame) {
      const live = await find(id);
      if (!live) return { ok: false, refusal: { kind: "unknown-dialog" } };
      return inOrder(live, async () => {
        const changed = lastCalls(live.state.dialog).filter(
          (call) => wanted.decisions.has(call.id) && (wanted.hashes[call.id] ?? callHash(call)) !== callHash(call),
        );
        if (changed.length > 0) return { ok: false, refusal: { kind: "changed", ids: changed.map((call) => call.id) } };
        const { dialog } = live.state;
        if (onFrame) live.frames.add(onFrame);
        const done = await act(live, {
          type: "put",
          decisions: wanted.decisions,
          authority: wanted.authority,
          prompt: wanted.prompt,
          provider: wanted.provider ?? currentProvider(dialog),
          model: wanted.model ?? currentModel(dialog),
          time: now(),
        });
        if (onFrame && (!done.ok || !live.state.turn)) live.frames.delete(onFrame);
        return settled(live, done);
      });
    },
    setStatus,
    async replace(filename, text, expect) {
      const parsed = parseDialogFilename(filename);
      if (!parsed) throw new RangeError(`not a dialog's file name: ${filename}`);
      const live = await find(parsed.dialogId);
      if (live?.state.status === "active") return { ok: false, refusal: { kind: "active" } };
      const path = vibeyPath(filename);
      if (live && live.path !== path)
        return { ok: false, refusal: { kind: "storage", message: `this dialog's file is ${live.path.slice("vibey/".length)}` } };
      const work = async (): Promise<Outcome<number>> => {
        // A CR in a text becomes a line's end once a text field returns it: it is one from the start.
        const clean = cleanCharacters(text);
        const ended = recover(clean.endsWith("\n") ? clean : `${clean}\n`);
        const edited = live ? ended + editedMark(ended, now()) : ended;
        const stored = await deps.store.other([{ op: "write", path, data: edited }], {
          durability: "strict",
          by: "human",
          ...(expect === undefined ? {} : { expect: [{ path, version: expect }] }),
        });
        if (!stored.ok) {
          const { failure } = stored;
          return {
            ok: false,
            refusal:
              failure.kind === "conflict" ? { kind: "changed", ids: [] } : { kind: "storage", message: storageMessage(failure.kind) },
          };
        }
        const reopened = live ? await handOver(live) : await find(parsed.dialogId);
        if (reopened) announce(reopened, deps.bus);
        return { ok: true, value: reopened?.version ?? stored.version };
      };
      return live ? inOrder(live, work) : work();
    },
    async remove(filename) {
      const parsed = parseDialogFilename(filename);
      if (!parsed) throw new RangeError(`not a dialog's file name: ${filename}`);
      const live = await find(parsed.dialogId);
      if (!live || live.path !== vibeyPath(filename)) return { ok: false, refusal: { kind: "unknown-dialog" } };
      if (live.state.status === "active") return { ok: false, refusal: { kind: "active" } };
      return inOrder(live, async () => {
        const stored = await deps.store.other([{ op: "remove", path: live.path }], { durability: "strict", by: "human" });
        if (!stored.ok) return { ok: false, refusal: { kind: "storage", message: storageMessage(stored.failure.kind) } };
        open.delete(live.id);
        tell(live, { kind: "gone" });
        deps.bus.emit({ type: "dialog-removed", dialogId: live.id });
        return { ok: true, value: null };
      });
    },
    async recoverAll() {
      for (const file of await listDialogs(deps.files)) if (file.status === "active") await find(file.dialogId);
    },
  };
}

function editedMark(file: string, time: string): string {
  const dialog = parseDialog(file);
  const { ops } = addMeta(dialog, [{ key: "Edited", value: time }]);
  return ops.map((op) => op.text).join("");
}

function storageMessage(kind: string): string {
  return kind === "full"
    ? "the browser's storage is full; nothing was changed"
    : `the browser's storage refused (${kind}); nothing was changed`;
}
