// A container, with the client's interface.
import { Comlink } from "@webcontainer/api/dist/vendor/index.js";
import { filesOf } from "./files.js";
import { openLine } from "./line.js";

/** @import { BuildOptions, EventName, ExportOptions, PreviewScriptOptions, RunOptions, Size } from "../messages.ts" */

/** @typedef {(data: Uint8Array | null) => Promise<void>} Output called with null at its end */

/** @param {BuildOptions} options */
export async function openInstance(options) {
  /** @type {Map<number, { output: Output | undefined; exit(code: number): void }>} */
  const processes = new Map();
  /** @type {Map<number, (type: string, filename: string) => void>} */
  const watches = new Map();
  /** @type {Map<EventName, Set<(...args: readonly unknown[]) => void>>} */
  const listeners = new Map();
  let ids = 0;

  const line = openLine((news) => {
    if (news.kind === "output") {
      // Copy the data: the decoded bytes share the message's memory.
      const data = news.data.slice();
      return void processes.get(news.process)?.output?.(Comlink.transfer(data, [data.buffer]));
    }
    if (news.kind === "exit") return void exited(news.process, news.code);
    if (news.kind === "watched") return watches.get(news.watch)?.(news.type, news.filename);
    for (const listener of listeners.get(news.name) ?? []) listener(...news.args);
  });

  /** @param {number} id @param {number} code */
  async function exited(id, code) {
    const process = processes.get(id);
    processes.delete(id);
    await process?.output?.(null);
    process?.exit(code);
  }

  const info = await line.call("build", options);

  return Comlink.proxy({
    fs: () => filesOf(line, watches),
    previewScript: () => undefined,
    runtimeInfo: () => info,

    /**
     * @param {RunOptions & Partial<Pick<RunOptions, "cwd" | "env" | "terminal">>} options @param {unknown} _stdout unused by the client
     * @param {unknown} _stderr @param {Output} [output]
     */
    async run({ command, args, cwd, env, terminal }, _stdout, _stderr, output) {
      ids += 1;
      const id = ids;
      const onExit = new Promise((/** @type {(code: number) => void} */ exit) => processes.set(id, { output, exit }));
      try {
        const given = { command, args, cwd: cwd ?? null, env: env ?? null, terminal: terminal ?? null };
        await line.call("run", id, { ...given, output: output !== undefined });
      } catch (error) {
        processes.delete(id);
        throw error;
      }
      return Comlink.proxy({
        onExit,
        kill: () => line.call("kill", id),
        write: (/** @type {string} */ data) => line.call("write", id, data),
        resize: (/** @type {Size} */ size) => line.call("resize", id, size),
      });
    },

    /** @param {Uint8Array} packed @param {{ mountPoints?: string }} [where] */
    loadFiles: (packed, where) => line.call("loadFiles", packed, where?.mountPoints ?? null),

    /** @param {string} path @param {Partial<ExportOptions>} wanted */
    async serialize(path, { format = "json", includes, excludes }) {
      const packed = await line.call("serialize", path, { format, includes: includes ?? [], excludes: excludes ?? [] });
      const bytes = packed.slice();
      return Comlink.transfer(bytes, [bytes.buffer]);
    },

    /** @param {EventName} name @param {(...args: readonly unknown[]) => void} listener */
    on(name, listener) {
      const all = listeners.get(name) ?? new Set();
      listeners.set(name, all.add(listener));
      return Comlink.proxy(() => void all.delete(listener));
    },

    /** @param {string} source @param {PreviewScriptOptions} [how] */
    setPreviewScript: (source, how) => line.call("setPreviewScript", source, how ?? {}),

    async teardown() {
      await line.call("teardown");
      line.close();
    },
  });
}
