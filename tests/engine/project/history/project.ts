import type { HistoryAnswer, HistoryCommit, HistoryCommitAnswer, RestoreAnswer } from "../../../../src/protocol/index.ts";
import type { HistoryStore } from "../../../../src/fs/history/store.ts";
import { historyMemory, memoryHistoryStore } from "../../../../src/fs/history/memory-store.ts";
import { memoryFiles, memoryStore, type MemoryStore } from "../../../../src/fs/memory.ts";
import type { SandboxChange } from "../../../../src/shell/sandbox.ts";
import { path } from "../../../fs/notation.ts";
import { type Bench, bench, type BenchOptions, type Reply } from "../../harness.ts";

/** An engine with a history, and timers that run when told to. */
export interface Project extends Bench {
  readonly memory: ReturnType<typeof historyMemory>;
  /** Runs the timers that wait for at most this many milliseconds. */
  pass(ms: number): Promise<void>;
  history(query?: string): Promise<HistoryAnswer>;
  /** `by: summary`, newest first. */
  lines(query?: string): Promise<string[]>;
  commit(id: string): Promise<HistoryCommitAnswer>;
  newest(query?: string): Promise<HistoryCommit>;
  save(name: string, content: string): Promise<void>;
  put(name: string, content: string | Uint8Array): Promise<void>;
  turnBack(how: "undo" | "restore", id: string, path?: string): Promise<RestoreAnswer>;
  /** Every file except the dialogs. */
  texts(): Promise<Record<string, string>>;
  again(replies?: readonly Reply[], more?: BenchOptions): Promise<Project>;
}

export interface ProjectOptions extends BenchOptions {
  readonly memory?: ReturnType<typeof historyMemory>;
  readonly around?: (store: HistoryStore) => HistoryStore;
}

export async function project(replies: readonly Reply[] = [], options: ProjectOptions = {}): Promise<Project> {
  const { memory = historyMemory(), around = (store: HistoryStore) => store } = options;
  const store: MemoryStore = options.store ?? memoryStore();
  let waiting: { run: () => void; ms: number }[] = [];
  const b = await bench(replies, {
    history: async () => around(memoryHistoryStore(memory)),
    later: (then, ms) => {
      if (ms < 1000) setTimeout(then, ms);
      else waiting.push({ run: then, ms });
    },
    ...options,
    store,
  });
  const files = memoryFiles({ now: () => 0, store });
  const get = async <T>(url: string): Promise<T> => {
    const answer = await b.ask("GET", url);
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const good = async (answer: Response) => {
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return answer;
  };
  const made: Project = Object.assign(Object.create(b) as Bench, {
    memory,
    async pass(ms: number) {
      const due = waiting.filter((one) => one.ms <= ms);
      waiting = waiting.filter((one) => one.ms > ms);
      for (const { run } of due) run();
      await quiet();
    },
    history: (query = "") => get<HistoryAnswer>(`/history${query}`),
    async lines(query = "") {
      const { commits } = await made.history(query);
      return commits.map(({ by, summary }) => `${by.kind}: ${summary}`);
    },
    commit: (id: string) => get<HistoryCommitAnswer>(`/history/${id}`),
    async newest(query = "") {
      const [first] = (await made.history(query)).commits;
      if (!first) throw new Error("no commit");
      return first;
    },
    save: async (name: string, content: string) => void (await good(await b.ask("POST", `/file/${name}`, { content }))),
    put: async (name: string, content: string | Uint8Array) => {
      const request = new Request(`http://engine/deed/${name}`, {
        method: "PUT",
        body: new Uint8Array(typeof content === "string" ? new TextEncoder().encode(content) : content),
      });
      await good(await b.engine.fetch(request));
    },
    turnBack: async (how: "undo" | "restore", id: string, one?: string) =>
      (await (
        await good(await b.ask("POST", `/history/${how}`, { id, ...(one === undefined ? {} : { path: one }) }))
      ).json()) as RestoreAnswer,
    async texts() {
      const texts: Record<string, string> = {};
      for (const stat of await files.list()) {
        if (!stat.path.startsWith("vibey/dialog-"))
          texts[stat.path] = new TextDecoder("latin1").decode((await files.read(stat.path))?.bytes);
      }
      return texts;
    },
    again: (next: readonly Reply[] = [], more: BenchOptions = {}) => project(next, { ...options, ...more, memory, store }),
  });
  return made;
}

/** A command's changes, based on what is there now; null removes a file. */
export async function changesOf(
  store: MemoryStore,
  contents: Readonly<Record<string, string | Uint8Array | null>>,
): Promise<SandboxChange[]> {
  const files = memoryFiles({ now: () => 0, store });
  return Promise.all(
    Object.entries(contents).map(async ([name, content]) => ({
      path: path(name),
      bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
      base: (await files.stat(path(name)))?.version ?? null,
    })),
  );
}

/** Waits until nothing happens without a timer. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => void setImmediate(resolve));
}
