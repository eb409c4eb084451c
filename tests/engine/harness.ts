import { memoryFiles, memoryStore, type MemoryStore } from "../../src/fs/memory.ts";
import { StorageError } from "../../src/fs/storage-error.ts";
import type { CommitOptions, CommitResult, Files } from "../../src/fs/files.ts";
import type { HistoryStore } from "../../src/fs/history/store.ts";
import type { Path } from "../../src/fs/path.ts";
import { type Engine, startEngine } from "../../src/engine/engine.ts";
import type { Frame } from "../../src/protocol/index.ts";
import { mustBeHashed, readDialog, withShownHashes } from "../shown-hashes.ts";
import type { JsonObject } from "../../src/dialog/model.ts";
import type { ProviderEvent, ProviderRequest, Stop } from "../../src/engine/providers/provider.ts";
import type { BridgeParts } from "../../src/engine/gateways/bridge-store.ts";
import { systemDeps } from "../../src/engine/providers/deps.ts";
import type { ProviderKind } from "../../src/engine/providers/provider-registry.ts";
import { openaiProvider } from "../../src/engine/providers/openai/index.ts";
import type { Follow } from "../../src/engine/network/follow.ts";
import type { Send } from "../../src/engine/network/send.ts";
import type { AgentKeyStore } from "../../src/engine/outside/key-store.ts";
import type { NewProject } from "../../src/engine/project/zip/new-project.ts";
import type { RunOptions, RunOutcome, Sandbox, SandboxChange } from "../../src/shell/sandbox.ts";
import { memoryKeys, type SharedKeys } from "../../src/engine/vault/keys.ts";
import { memorySettings } from "../../src/engine/settings/settings.ts";
import { putFirst } from "../first-files.ts";

/** One response of the scripted provider: its events, or a function that handles the request. */
export type Reply =
  | readonly ProviderEvent[]
  | ((request: ProviderRequest, signal: AbortSignal) => AsyncIterable<ProviderEvent> | readonly ProviderEvent[]);

export interface Bench {
  readonly engine: Engine;
  readonly store: MemoryStore;
  readonly requests: ProviderRequest[];
  readonly commands: string[];
  /** Errors inside the engine; empty in every passing test. */
  readonly reported: unknown[];
  replies: Reply[];
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** All SSE frames of a response. */
  frames(response: Response): Promise<Frame[]>;
  /** A file's text, by any path. */
  text(path: string): Promise<string>;
  /** The Markdown of the only dialog. */
  dialog(): Promise<{ readonly id: string; readonly filename: string; readonly markdown: string }>;
  /** Another engine on the same files, as after a reload. */
  reload(): Promise<Bench>;
}

/** A text as a response that ends properly. */
export function say(text: string): Reply {
  return [{ type: "text", text }, ended];
}

export const ended: ProviderEvent = { type: "end", stop: { kind: "end" } };

export function stopped(stop: Stop): ProviderEvent {
  return { type: "end", stop };
}

/** A call as a provider reports it. */
export function call(id: string, name: string, input: JsonObject): ProviderEvent {
  return { type: "call", id, name, input: { ok: true, value: input } };
}

export function outcome(stdout: string, changes: readonly SandboxChange[] = []): RunOutcome {
  return { stdout, stderr: "", exitCode: 0, limit: null, aborted: false, ms: 1, changes };
}

export interface BenchOptions {
  readonly store?: MemoryStore;
  readonly run?: (command: string, signal: AbortSignal, options: RunOptions) => Promise<RunOutcome>;
  /** Resolves when a command has its turn; false if it was stopped before. By default at once. */
  readonly turn?: (command: string, options: RunOptions) => Promise<boolean>;
  /** Replaces the sandbox that echoes. */
  readonly sandbox?: (files: Files) => Sandbox;
  /** By default no keys are known. */
  readonly keys?: SharedKeys;
  /** Runs commands in the background. By default that isn't available. */
  readonly runInBackground?: NonNullable<Sandbox["runInBackground"]>;
  /** Parses commands. By default no pattern covers a command. */
  readonly simpleCommands?: NonNullable<Sandbox["simpleCommands"]>;
  readonly storeLateBy?: NonNullable<Sandbox["storeLateBy"]>;
  /** Receives the requests of commands. By default there is no network. Vibey itself is at `https://vibey.example`. */
  readonly send?: Send;
  readonly follow?: Follow;
  /** A path whose content can't be read. */
  readonly damaged?: string;
  /** Awaited before a file is read. */
  readonly beforeRead?: (path: string) => Promise<void>;
  /** Wraps every commit of the engine. */
  readonly aroundCommit?: (commit: () => Promise<CommitResult>, options: CommitOptions) => Promise<CommitResult>;
  /** The size of every model's context window in tokens. */
  readonly window?: number;
  /** The provider's answer when there are no replies left. */
  readonly answer?: Reply;
  /** Replace the clock, which advances a second per reading, and the real timers. */
  readonly now?: () => Date;
  readonly later?: (then: () => void, ms: number) => void;
  /** The docs of the demo. By default there are none. */
  readonly demoDocs?: readonly { readonly name: string; readonly content: string }[];
  /** The project's files before the engine starts. */
  readonly welcome?: readonly { readonly name: string; readonly content: string }[];
  /** Opens the store of the history. By default there is no history. */
  readonly history?: () => Promise<HistoryStore>;
  /** Stores agent keys. By default they are stored only in this engine. */
  readonly agentKeys?: AgentKeyStore;
  /** How outside programs reach the engine. By default a key lasts as long as the engine, and there is no bridge. */
  readonly bridge?: BridgeParts;
  /** Answers for a second provider, a server of OpenAI's kind. By default there is none. */
  readonly openai?: typeof fetch;
  /** Creates another project. By default this isn't possible. */
  readonly newProject?: (name: string) => Promise<NewProject>;
}

const openaiKind = (fetch: typeof globalThis.fetch): ProviderKind => ({
  name: "openai",
  defaultModel: "gpt-5.5",
  defaultBaseURL: "https://api.openai.com",
  onThisDevice: true,
  make: (settings, memory) => openaiProvider(settings, { ...systemDeps, fetch }, memory),
});

/** An engine with files in memory, a provider that plays replies, and a sandbox that echoes. Its clock advances a second per reading. */
export async function bench(replies: readonly Reply[] = [], options: BenchOptions = {}): Promise<Bench> {
  const store = options.store ?? memoryStore();
  const inMemory = memoryFiles({ now: () => options.now?.().getTime() ?? 1_760_000_000_000 + store.counters.version, store });
  const { aroundCommit } = options;
  const files: Files = {
    ...inMemory,
    ...(aroundCommit ? { commit: (changes, how) => aroundCommit(() => inMemory.commit(changes, how), how) } : {}),
    read: async (path) => {
      if (path === options.damaged) throw new StorageError("damaged", `${path} is damaged`);
      await options.beforeRead?.(path);
      return inMemory.read(path);
    },
    readMany: async (paths) => {
      for (const path of paths) await options.beforeRead?.(path);
      if (options.damaged !== undefined && paths.some((path) => path === options.damaged))
        throw new StorageError("damaged", `${options.damaged} is damaged`);
      return inMemory.readMany(paths);
    },
  };
  const requests: ProviderRequest[] = [];
  const commands: string[] = [];
  const reported: unknown[] = [];
  let seconds = store.counters.version;
  const state = { replies: [...replies] };
  await putFirst(files, options.welcome ?? [{ name: "doc-main.md", content: "# A game\n" }]);
  const engine = await startEngine({
    files,
    settings: memorySettings(),
    keys: options.keys ?? memoryKeys(),
    providers: [
      {
        name: "claude",
        defaultModel: "model-1",
        defaultBaseURL: "https://api.example",
        make: () => ({
          name: "claude",
          async *stream(request, signal) {
            requests.push(request);
            const reply = state.replies.shift() ?? options.answer;
            if (!reply) throw new Error("the script has no more replies");
            yield* typeof reply === "function" ? reply(request, signal) : reply;
          },
          window: () => options.window ?? null,
          models: async () => ({ ok: true, models: ["model-1", "model-2"] }),
        }),
      },
      ...(options.openai ? [openaiKind(options.openai)] : []),
    ],
    sandbox: async () => ({
      sandbox: options.sandbox?.(files) ?? {
        async run(command, runOptions) {
          const { signal, begins, claim, commit } = runOptions;
          // As in the real shell, a command that never began has nothing to commit.
          const stoppedBefore = { ...outcome(""), aborted: true, exitCode: 130 };
          if (options.turn && !(await options.turn(command, runOptions))) return stoppedBefore;
          begins?.();
          if ((await claim?.()) === false) return stoppedBefore;
          commands.push(command);
          const ran = await (options.run ? options.run(command, signal, runOptions) : outcome(`ran ${command}\n`));
          await commit?.(ran);
          return ran;
        },
        ...(options.runInBackground ? { runInBackground: options.runInBackground } : {}),
        ...(options.simpleCommands ? { simpleCommands: options.simpleCommands } : {}),
        ...(options.storeLateBy ? { storeLateBy: options.storeLateBy } : {}),
        dispose: () => undefined,
      },
      sandboxAbout: async () => "A shell that echoes.",
      ...(options.send ? { outside: { send: options.send, follow: options.follow ?? null, ownOrigin: "https://vibey.example" } } : {}),
    }),
    now: options.now ?? (() => new Date(Date.UTC(2026, 10, 21, 20, 11, 0) + 1000 * (seconds += 1))),
    later: options.later ?? ((then, ms) => void setTimeout(then, ms)),
    ...(options.history ? { history: options.history } : {}),
    ...(options.agentKeys ? { agentKeys: options.agentKeys } : {}),
    ...(options.bridge ? { bridge: options.bridge } : {}),
    ...(options.newProject ? { newProject: options.newProject } : {}),
    ...(options.demoDocs ? { demoDocs: async () => options.demoDocs ?? [] } : {}),
    report: (error) => reported.push(error),
  });

  const made: Bench = {
    engine,
    store,
    requests,
    commands,
    reported,
    get replies() {
      return state.replies;
    },
    set replies(next) {
      state.replies = next;
    },
    ask(method, path, body, headers = {}) {
      const send = (what: unknown) =>
        engine.fetch(
          new Request(`http://engine${path}`, {
            method,
            headers,
            ...(what === undefined ? {} : { body: typeof what === "string" ? what : JSON.stringify(what) }),
          }),
        );
      return mustBeHashed(method, path, body) ? withShownHashes(body, readDialog(engine.fetch)).then(send) : send(body);
    },
    async frames(response) {
      const text = await response.text();
      if (response.headers.get("content-type") !== "text/event-stream") throw new Error(`no stream but ${response.status} ${text}`);
      return text
        .split("\n\n")
        .filter((block) => block !== "")
        .map((block) => JSON.parse(block.slice("data: ".length)) as Frame);
    },
    async text(path) {
      const content = await files.read(path as Path);
      if (!content) throw new Error(`no file ${path}`);
      return new TextDecoder().decode(content.bytes);
    },
    async dialog() {
      const listing = (await (await made.ask("GET", "/dialogs")).json()) as { dialogId: string; filename: string }[];
      const [only] = listing;
      if (!only || listing.length !== 1) throw new Error(`${listing.length} dialogs`);
      return { id: only.dialogId, filename: only.filename, markdown: await made.text(`vibey/${only.filename}`) };
    },
    reload: () => bench(state.replies, { ...options, store }),
  };
  return made;
}
