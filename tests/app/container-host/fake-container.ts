import type { FileSystemTree } from "@webcontainer/api";
import type { Container, ContainerProcess } from "../../../src/app/container-host/client.ts";

/** A process controlled by the test. */
export interface FakeProcess extends ContainerProcess {
  readonly program: string;
  readonly args: readonly string[];
  /** Its input, and `killed`. */
  readonly heard: string[];
  print(text: string): void;
  closeOutput(): void;
  end(code: number): void;
}

function fakeProcess(program: string, args: readonly string[]): FakeProcess {
  let printer!: ReadableStreamDefaultController<string>;
  let end!: (code: number) => void;
  const heard: string[] = [];
  return {
    program,
    args,
    heard,
    output: new ReadableStream<string>({ start: (controller) => void (printer = controller) }),
    input: new WritableStream<string>({ write: (text) => void heard.push(text) }),
    exit: new Promise<number>((resolve) => (end = resolve)),
    kill: () => void heard.push("killed"),
    print: (text) => printer.enqueue(text),
    closeOutput: () => printer.close(),
    end: (code) => end(code),
  };
}

type Listener = (...values: never[]) => void;

/** A container in memory: `calls` records the calls, `files` holds its files. */
export function fakeContainer() {
  const listeners = new Map<string, Set<Listener>>();
  const calls: string[] = [];
  const files = new Map<string, string>();
  const processes: FakeProcess[] = [];
  const state = { failing: null as Error | null, snapshot: new Uint8Array([1, 2, 3]), tornDown: 0, script: "", silent: false };
  const work = async (call: string) => {
    calls.push(call);
    if (state.failing) throw state.failing;
  };
  const keep = (path: string, bytes: Uint8Array) => void files.set(path, new TextDecoder().decode(bytes));
  function spread(tree: FileSystemTree, folder: string) {
    for (const [name, node] of Object.entries(tree)) {
      if ("directory" in node) spread(node.directory, `${folder}${name}/`);
      else if ("contents" in node.file && typeof node.file.contents !== "string") keep(folder + name, node.file.contents);
    }
  }
  const container: Container = {
    workdir: "/home/project",
    fs: {
      async writeFile(path, data) {
        await work(`write ${path}`);
        keep(path, data);
      },
      mkdir: (path) => work(`mkdir ${path}`),
      readdir: () => (state.silent ? new Promise(() => {}) : Promise.resolve([])),
      rm: (path) => work(`rm ${path}`),
    },
    async mount(tree) {
      await work("mount");
      spread(tree, "");
    },
    async export(path, { format, excludes }) {
      await work(`export ${path} ${format} ${excludes.join(" ")}`);
      return format === "json" ? { "a.txt": { file: { contents: "a" } } } : state.snapshot;
    },
    async spawn(program, args) {
      await work(`spawn ${program}`);
      const process = fakeProcess(program, args);
      processes.push(process);
      return process;
    },
    on(event: string, listener: Listener) {
      const all = listeners.get(event) ?? new Set();
      listeners.set(event, all.add(listener));
      return () => void all.delete(listener);
    },
    async setPreviewScript(script) {
      state.script = script;
    },
    teardown: () => void state.tornDown++,
  };
  return {
    container,
    calls,
    files,
    processes,
    state,
    emit: (event: string, ...values: unknown[]) => {
      for (const listener of listeners.get(event) ?? []) listener(...(values as never[]));
    },
    listening: () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0),
  };
}
