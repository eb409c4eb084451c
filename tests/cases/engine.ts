import { mustBeHashed, readDialog, withShownHashes } from "../shown-hashes.ts";
import { expect, onTestFinished } from "vitest";
import type { DialogAnswer, DialogListing, Frame } from "../../src/protocol/index.ts";
import { startEngine } from "../../src/engine/engine.ts";
import type { Dialog, JsonObject, Part } from "../../src/dialog/model.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { serialiseDialog } from "../../src/dialog/serialise.ts";
import { memoryKeys } from "../../src/engine/vault/keys.ts";
import { limits } from "../../src/protocol/limits.ts";
import type { RunOutcome } from "../../src/shell/sandbox.ts";
import { memorySettings } from "../../src/engine/settings/settings.ts";
import { memoryFiles, memoryStore, type MemoryStore } from "../../src/fs/memory.ts";
import type { Path } from "../../src/fs/path.ts";
import { type Sent, startWire, type Wire, type WireName, type WireOptions } from "../stand-in/wire.ts";
import { kindsOf, worldOf, type World } from "./providers.ts";
import { putFirst } from "../first-files.ts";

export interface CaseOptions extends WireOptions {
  /** Whether the server is a compatible one at its own address. By default it is the provider's own server. */
  readonly compatible?: true;
  readonly model?: string;
  readonly run?: (command: string, signal: AbortSignal) => Promise<RunOutcome>;
  /** The server refuses something, which is what the case tests. */
  readonly refuses?: true;
  /** The text of doc-main.md. */
  readonly main?: string;
  /** How the engine waits. By default it doesn't wait at all. */
  readonly later?: (then: () => void, ms: number) => void;
}

/** One dialog in a complete engine with a real provider, over real HTTP, against a stand-in. The test controls the clock and the files. */
export interface Case {
  readonly wire: Wire;
  readonly world: World;
  readonly commands: readonly string[];
  ask(method: string, path: string, body?: unknown): Promise<Response>;
  /** Sends a prompt to the dialog, or starts it. Resolves when the turn is over. */
  say(prompt: string, more?: JsonObject): Promise<Frame[]>;
  /** Decides calls: `approve` or `deny` for each id. */
  decide(decisions: Readonly<Record<string, "approve" | "deny">>, prompt?: string): Promise<Frame[]>;
  stop(): Promise<void>;
  /** Waits until `is` holds for the dialog. */
  until(is: (dialog: DialogAnswer) => boolean): Promise<DialogAnswer>;
  /** The dialog's file in a short form, one string per part; see `shown`. */
  shown(): Promise<string[]>;
  markdown(): Promise<string>;
  status(): Promise<string>;
  /** What the provider received with its last request. */
  sent(): Sent[];
  /** Another engine on the same files, as after a reload. */
  reload(): Promise<Case>;
  /** Writes the dialog's file, as a user does in the editor. */
  edit(change: (markdown: string) => string): Promise<void>;
  /** A file of the project other than a dialog. */
  text(path: string): Promise<string>;
}

export const commandCall = (id: string, command = `echo ${id}`) => ({ call: "run_command", id, input: { command } });

export async function startCase(name: WireName, options: CaseOptions = {}): Promise<Case> {
  const wire = await startWire(name, options);
  onTestFinished(() => wire.close());
  return caseOn(wire, worldOf(wire), memoryStore(), options, [], []);
}

export async function caseOn(
  wire: Wire,
  world: World,
  store: MemoryStore,
  options: CaseOptions,
  commands: string[],
  prompts: string[],
): Promise<Case> {
  const files = memoryFiles({ now: () => 1_760_000_000_000 + store.counters.version, store });
  const reported: unknown[] = [];
  const { main } = options;
  let seconds = store.counters.version;
  await putFirst(files, [{ name: "doc-main.md", content: main ?? "# A game\n" }]);
  const engine = await startEngine({
    files,
    settings: memorySettings(),
    keys: memoryKeys(),
    providers: kindsOf(world.deps),
    sandbox: async () => ({
      sandbox: {
        async run(command, { signal, claim, commit }) {
          // As in the real shell, nothing runs before it is claimed.
          if ((await claim?.()) === false) return { ...outcome(""), aborted: true, exitCode: 130 };
          commands.push(command);
          const ran = options.run ? await options.run(command, signal) : outcome(`${command}\n`);
          await commit?.(ran);
          return ran;
        },
        dispose: () => undefined,
      },
      sandboxAbout: async () => "A shell that echoes.",
    }),
    now: () => new Date(Date.UTC(2026, 10, 21, 20, 11, 0) + 1000 * (seconds += 1)),
    later: options.later ?? ((then) => void setImmediate(then)),
    report: (error) => reported.push(error),
  });
  const ask: Case["ask"] = (method, path, body) => {
    const send = (what: unknown) =>
      engine.fetch(new Request(`http://engine${path}`, { method, ...(what === undefined ? {} : { body: JSON.stringify(what) }) }));
    return mustBeHashed(method, path, body) ? withShownHashes(body, readDialog(engine.fetch)).then(send) : send(body);
  };
  await ask("PUT", `/provider/${wire.provider}`, { apiKey: wire.key, ...(options.compatible && { baseURL: wire.url }) });

  const listings = async () => (await (await ask("GET", "/dialogs")).json()) as DialogListing[];
  async function listing(): Promise<DialogListing> {
    const [only, ...others] = await listings();
    if (!only || others.length > 0) throw new Error(`${others.length + (only ? 1 : 0)} dialogs`);
    return only;
  }
  async function read(path: string): Promise<string> {
    const content = await files.read(path as Path);
    if (!content) throw new Error(`no file ${path}`);
    return new TextDecoder().decode(content.bytes);
  }
  const markdown = async () => read(`vibey/${(await listing()).filename}`);
  async function put(body: JsonObject): Promise<Frame[]> {
    const frames = await framesOf(await ask("PUT", "/dialog", { dialogId: (await listing()).dialogId, ...body }));
    await holds();
    return frames;
  }

  /** Checks what holds after every turn, however it went. */
  async function holds(): Promise<void> {
    expect(reported).toEqual([]);
    const text = await markdown();
    const dialog = parseDialog(text);
    expect(serialiseDialog(dialog)).toBe(text);
    if (!options.refuses) expect(wire.requests.flatMap(({ refused }) => (refused ? [refused.message] : []))).toEqual([]);
    const started = callsOf(dialog).filter((call) => call.started !== null);
    expect(started.filter(({ decision }) => decision !== "approved")).toEqual([]);
    // An edit may remove the claims that say what ran.
    if (!text.includes("\n> Edited: ")) expect(commands.length).toBeLessThanOrEqual(started.length);
    // No prompt of the user appears twice, neither in the file nor on the wire.
    const inFile = dialog.sections.flatMap(({ role, parts }) => (role === "user" ? texts(parts) : []));
    for (const prompt of prompts) expect(inFile.filter((one) => one === prompt)).toHaveLength(1);
    const last = wire.requests.at(-1);
    if (!last) return;
    const users = wire.sent(last).flatMap((one) => ("user" in one ? [one.user] : []));
    for (const prompt of prompts) expect(users.filter((one) => one === prompt).length).toBeLessThanOrEqual(1);
  }

  const made: Case = {
    wire,
    world,
    commands,
    ask,
    async say(prompt, more = {}) {
      prompts.push(prompt);
      if ((await listings()).length > 0) return put({ prompt, ...more });
      const body = { provider: wire.provider, model: options.model ?? wire.model, slug: "work", prompt, ...more };
      const frames = await framesOf(await ask("POST", "/dialog", body));
      await holds();
      return frames;
    },
    decide(decisions, prompt) {
      if (prompt !== undefined) prompts.push(prompt);
      const lines = Object.entries(decisions).map(([id, word]) => `${id}: ${word}`);
      return put({ decisions: lines.join("\n"), ...(prompt === undefined ? {} : { prompt }) });
    },
    async stop() {
      const answer = await ask("PUT", "/dialog", { dialogId: (await listing()).dialogId, status: "waiting" });
      expect(answer.status).toBe(200);
    },
    async until(is) {
      for (let turn = 0; turn < 20_000; turn++) {
        const [first] = await listings();
        if (first) {
          const dialog = (await (await ask("GET", `/dialog/${first.dialogId}`)).json()) as DialogAnswer;
          if (is(dialog)) return dialog;
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
      throw new Error("it never came to be");
    },
    shown: async () => shown(parseDialog(await markdown())),
    markdown,
    status: async () => (await listing()).status,
    sent() {
      const last = wire.requests.at(-1);
      if (!last) throw new Error("nothing was sent");
      return wire.sent(last);
    },
    reload: () => caseOn(wire, world, store, options, commands, prompts),
    async edit(change) {
      const { filename } = await listing();
      const answer = await ask("POST", `/file/${filename}`, { content: change(await markdown()) });
      expect(answer.status).toBe(200);
    },
    text: read,
  };
  return made;
}

/** Checks that the next turn works, whatever happened before: the provider gets a valid request and answers. */
export async function goesOn(one: Case, decisions: Readonly<Record<string, "approve" | "deny">> = {}): Promise<Sent[]> {
  const prompt = `What now, after ${one.wire.requests.length}?`;
  const before = one.wire.requests.length;
  one.wire.play({ blocks: [{ text: "Fine." }] });
  if (Object.keys(decisions).length > 0) await one.decide(decisions, prompt);
  else await one.say(prompt);
  expect(one.wire.requests.length).toBe(before + 1);
  expect(await one.status()).toBe("done");
  expect((await one.shown()).slice(-3)).toEqual([prompt, "assistant:", "Fine."]);
  const sent = one.sent();
  expect(sent.at(-1)).toEqual({ user: prompt });
  return sent;
}

/**
 * Complete calls of an answer that broke off wait for the user: a message alone stores nothing and sends nothing. This denies them; the model
 * is told so, and the next turn works. Without ids, nothing waits.
 */
export async function goesOnDenying(one: Case, ids: readonly string[]): Promise<Sent[]> {
  if (ids.length === 0) return goesOn(one);
  const before = [await one.markdown(), one.wire.requests.length, [...one.commands]];
  const [dialog] = (await (await one.ask("GET", "/dialogs")).json()) as DialogListing[];
  const answer = await one.ask("PUT", "/dialog", { dialogId: dialog?.dialogId, prompt: "Is it?" });
  expect([answer.status, await answer.json()]).toEqual([409, expect.objectContaining({ undecided: ids })]);
  expect([await one.markdown(), one.wire.requests.length, one.commands]).toEqual(before);
  const sent = await goesOn(one, Object.fromEntries(ids.map((id) => [id, "deny"])));
  const results = new Map(sent.flatMap((each) => ("result" in each ? [[each.result, each.text]] : [])));
  for (const id of ids) expect(results.get(id)).toMatch(/denied/);
  expect(one.commands).toEqual(before[2]);
  return sent;
}

/** A call of `commandCall` that waits for the user. */
export const undecided = (id: string, command = `echo ${id}`) => `run_command[${id}] {"command":"${command}"} undecided`;

/** The result of a call that never ran because the user stopped the answer. */
export const stoppedByHuman = '{"success":false,"error":"stopped by the user before it ran"}';

/** The line of a call that arrived only in part. */
export const incomplete = (id: string) => `Incomplete call: run_command [${id}]`;

/** Advances the clock until the turn is over: retries happen at once, and with a long enough `most`, stalls time out. */
export async function patiently<T>(one: Pick<Case, "world">, turn: Promise<T>, most: number = limits.streamIdleMs - 1): Promise<T> {
  const state = { over: false };
  const done = turn.finally(() => {
    state.over = true;
  });
  while (!state.over) {
    const [soonest] = one.world.timers.waiting;
    if (soonest !== undefined && soonest <= most) one.world.timers.advance(soonest);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}

export function outcome(stdout: string): RunOutcome {
  return { stdout, stderr: "", exitCode: 0, limit: null, aborted: false, ms: 1, changes: [] };
}

/**
 * A dialog in a short form: `user:`, `Go`, `assistant:`, `Hello`, `run_command[a] {"command":"ls"} approved -> {…}`,
 * `Stop: aborted`. Times, usage and costs are left out.
 */
export function shown(dialog: Dialog): string[] {
  return dialog.sections.flatMap(({ role, parts }) => [`${role}:`, ...parts.flatMap(wordsOf)]);
}

function wordsOf(part: Part): string[] {
  switch (part.kind) {
    case "text":
      return [part.text];
    case "meta":
      return part.lines.filter(({ key }) => !/^(?:Usage|Cost|Price)/.test(key)).map(({ key, value }) => `${key}: ${value}`);
    case "call": {
      const { id, name, input, decision, result } = part.call;
      return [
        `${name}[${id}] ${JSON.stringify(input)} ${decision ?? "undecided"}${result === undefined ? "" : ` -> ${JSON.stringify(result)}`}`,
      ];
    }
  }
}

function callsOf(dialog: Dialog) {
  return dialog.sections.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
}

function texts(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
}

async function framesOf(response: Response): Promise<Frame[]> {
  const text = await response.text();
  if (response.headers.get("content-type") !== "text/event-stream") {
    if (!response.ok) throw new Error(`no stream but ${response.status} ${text}`);
    return [];
  }
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => JSON.parse(block.slice("data: ".length)) as Frame);
}
