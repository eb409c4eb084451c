import { expect } from "vitest";
import { type Engine, startEngine } from "../../src/engine/engine.ts";
import type { Call, Dialog } from "../../src/dialog/model.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { serialiseDialog } from "../../src/dialog/serialise.ts";
import { memoryKeys, type SharedKeys } from "../../src/engine/vault/keys.ts";
import { limits } from "../../src/protocol/limits.ts";
import type { RunOutcome } from "../../src/shell/sandbox.ts";
import { memorySettings } from "../../src/engine/settings/settings.ts";
import type { CommitResult, Files } from "../../src/fs/files.ts";
import { memoryFiles, type MemoryStore } from "../../src/fs/memory.ts";
import type { Path } from "../../src/fs/path.ts";
import type { Sent, Wire, WireTurn } from "../stand-in/wire.ts";
import { commandCall, outcome, shown } from "./engine.ts";
import type { Acknowledged } from "./human.ts";
import { kindsOf, worldOf } from "./providers.ts";
import { putFirst } from "../first-files.ts";

/** Where a fault can be injected between the engine and its world. Each function wraps the real operation. */
export interface Around {
  readonly commit?: (commit: () => Promise<CommitResult>) => Promise<CommitResult>;
  readonly read?: <T>(read: () => Promise<T>) => Promise<T>;
  readonly fetch?: (fetch: () => Promise<Response>) => Promise<Response>;
  readonly run?: (run: () => Promise<RunOutcome>) => Promise<RunOutcome>;
}

/** What lasts while engines come and go. */
export interface Project {
  readonly wire: Wire;
  readonly store: MemoryStore;
  /** Commands that began. */
  readonly commands: string[];
  /** What the user was told, in any way that a screen shows. */
  readonly told: string[];
  readonly reported: unknown[];
  /** Fires the next timer if it waits less than the timeout of a silent stream. */
  pump(): void;
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** The calls of an agent's first turn: a command, a file, a change to it, another agent. */
function firstTurn({ provider, model }: Wire): WireTurn {
  return {
    blocks: [
      { text: "First I look, then I write." },
      commandCall("a", "make"),
      { call: "write_file", id: "b", input: { path: "x.txt", content: "one\n" } },
      { call: "edit_file", id: "c", input: { path: "x.txt", old_string: "one", new_string: "two" } },
      { call: "launch_agent", id: "d", input: { provider, model, prompt: "Help", slug: "hand" } },
    ],
  };
}

/** The provider answers the content of the request, not earlier requests. So its answers fit however the turns went. */
function answerOf(wire: Wire, sent: readonly Sent[]): WireTurn {
  if (sent.some((one) => "user" in one && one.user === "Help")) return { blocks: [{ text: "I help." }] };
  return sent.some((one) => "call" in one) ? { blocks: [{ text: "Done." }] } : firstTurn(wire);
}

export function projectOn(wire: Wire, store: MemoryStore): Project & { readonly world: ReturnType<typeof worldOf> } {
  wire.play(...Array.from({ length: 60 }, () => (record: Parameters<Wire["sent"]>[0]) => answerOf(wire, wire.sent(record))));
  const world = worldOf(wire);
  return {
    wire,
    store,
    commands: [],
    told: [],
    reported: [],
    world,
    pump() {
      const [soonest] = world.timers.waiting;
      if (soonest !== undefined && soonest < limits.streamIdleMs) world.timers.advance(soonest);
    },
  };
}

type Whole = ReturnType<typeof projectOn>;

/** An engine on the project's files, as in a tab's worker. */
export async function engineOn(project: Whole, around: Around, keys: SharedKeys = memoryKeys()): Promise<Engine> {
  const { store, wire, world } = project;
  const inMemory = memoryFiles({ now: () => 1_760_000_000_000 + store.counters.version, store });
  const read = <T>(work: () => Promise<T>) => (around.read ? around.read(work) : work());
  const files: Files = {
    ...inMemory,
    commit: (changes, how) => (around.commit ? around.commit(() => inMemory.commit(changes, how)) : inMemory.commit(changes, how)),
    read: (path) => read(() => inMemory.read(path)),
    readMany: (paths) => read(() => inMemory.readMany(paths)),
    list: (prefix) => read(() => inMemory.list(prefix)),
    stat: (path) => read(() => inMemory.stat(path)),
  };
  const send: typeof fetch = (input, init) => {
    const really = () => world.deps.fetch(input, init);
    return around.fetch ? around.fetch(really) : really();
  };
  keys.set(wire.provider, wire.key, "https://" + (wire.provider === "claude" ? "api.anthropic.com" : "api.openai.com"));
  let seconds = store.counters.version;
  await putFirst(files, [{ name: "doc-main.md", content: "# A game\n" }]);
  return startEngine({
    files,
    settings: memorySettings(),
    keys,
    providers: kindsOf({ ...world.deps, fetch: send }),
    sandbox: async () => ({
      sandbox: {
        async run(command, { claim, commit }) {
          // As in the real shell, nothing runs before it is claimed.
          if ((await claim?.()) === false) return { ...outcome(""), aborted: true, exitCode: 130 };
          const really = async () => {
            project.commands.push(command);
            return { ...outcome("made\n"), changes: [{ path: "out.txt" as Path, bytes: bytes("made\n"), base: null }] };
          };
          const ran = await (around.run ? around.run(really) : really());
          await commit?.(ran);
          return ran;
        },
        dispose: () => undefined,
      },
      sandboxAbout: async () => "A shell that makes.",
    }),
    now: () => new Date(Date.UTC(2026, 10, 21, 20, 11, 0) + 1000 * (seconds += 1)),
    later: (then) => void setImmediate(then),
    report: (error) => project.reported.push(error),
  });
}

export interface Left {
  /** A short form without times and ids: equal for two runs in which the same happened. */
  readonly words: string;
  /** Whether the file itself reports the fault, with a stop or a failed call. */
  readonly tells: boolean;
}

/** Checks what must hold for the files, whatever went wrong. */
export function holds({ store, commands, wire }: Project, acknowledged: Acknowledged): Left {
  const texts = new Map([...store.names.values()].map(({ path, id }) => [path as string, textOf(store, id)]));
  const dialogs = [...texts]
    .filter(([path]) => path.startsWith("vibey/dialog-"))
    .map(([path, text]) => ({ path, text, dialog: parseDialog(text) }));
  for (const { text, dialog } of dialogs) {
    expect(dialog.format).toBe(1);
    expect(serialiseDialog(dialog)).toBe(text);
  }
  const bosses = dialogs.filter(({ path }) => path.includes("-boss"));
  expect(bosses).toHaveLength(1);
  const [boss] = bosses;
  if (!boss) throw new Error("no boss");
  // Everything acknowledged is there exactly once.
  const prompts = boss.dialog.sections.flatMap(({ role, parts }) =>
    role === "user" ? parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])) : [],
  );
  expect(new Set(prompts).size).toBe(prompts.length);
  expect(prompts).toEqual(expect.arrayContaining(acknowledged.prompts));
  const calls = callsOf(boss.dialog);
  for (const id of acknowledged.decisions) expect(calls.find((call) => call.id === id)?.decision).toBe("approved");
  // A call that ran did so once and with permission, and its result says how it ended.
  expect(commands.length).toBeLessThanOrEqual(1);
  for (const call of calls) {
    // A call that no one continues has a result, whatever happened.
    expect([call.id, call.started === null ? "approved" : call.decision, call.result === undefined]).toEqual([call.id, "approved", false]);
  }
  const by = (id: string) => calls.find((call) => call.id === id);
  const happened = (id: string) => (by(id)?.result as { success?: boolean } | undefined)?.success === true;
  expect(texts.get("x.txt")).toBe(happened("c") ? "two\n" : happened("b") ? "one\n" : undefined);
  if (happened("a")) expect([commands, texts.get("out.txt")]).toEqual([["make"], "made\n"]);
  else expect(texts.has("out.txt")).toBe(false);
  // Each launch has exactly one dialog.
  expect(dialogs.filter(({ path }) => path.includes("-hand"))).toHaveLength(happened("d") ? 1 : 0);
  expect(wire.requests.flatMap(({ refused }) => (refused ? [refused.message] : []))).toEqual([]);
  const words = dialogs.map(({ path, dialog }) => `${path} ${shown(dialog).join("\n")}`).toSorted();
  return {
    words: words.join("\n").replace(/\d{8}-\d{6}/g, "T"),
    tells: dialogs.some(
      ({ dialog, text }) =>
        /^> Stop: /m.test(text) || callsOf(dialog).some(({ result }) => JSON.stringify(result)?.includes('"success":false')),
    ),
  };
}

function callsOf(dialog: Dialog): Call[] {
  return dialog.sections.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
}

function textOf(store: MemoryStore, id: number): string {
  return Buffer.concat([...(store.pieces.get(id)?.values() ?? [])]).toString();
}
