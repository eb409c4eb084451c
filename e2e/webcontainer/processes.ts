import { once } from "node:events";
import { constants } from "node:os";
import { isAbsolute, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findProgram } from "./machine.ts";
import type { Callee, RunOptions, Told } from "./messages.ts";
import { failure, followedIn } from "./paths.ts";
import { killNow, processesWith } from "./process-tree.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

type ProcessCalls = Pick<Callee, "run" | "write" | "resize" | "kill">;

interface Processes {
  readonly calls: ProcessCalls;
  /** The living processes, including orphans. */
  pids(): number[];
  /** Resolves when all have ended. */
  end(): Promise<void>;
}

export interface World {
  /** The container's id, which its processes carry. */
  readonly id: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
}

const allOf = (id: string) => `WEBCONTAINER=${id}`;
const oneOf = (id: string, process: number) => `WEBCONTAINER_PROCESS=${id}/${process}`;

/** The processes of a container: real processes of this machine, each started in its own terminal. */
export function openProcesses({ id, workdir, env }: World, tell: (told: Told) => void): Processes {
  const running = new Map<number, Terminal>();

  /** Writes and resizes take effect in the order of the calls. */
  const orders = new Map<number, Promise<null>>();
  const inOrder = (process: number, act: (terminal: Terminal) => Promise<void>) => {
    const next = (orders.get(process) ?? Promise.resolve(null)).then(async () => {
      const terminal = running.get(process);
      if (terminal) await act(terminal);
      return null;
    });
    // The caller gets the error; later calls continue.
    const settled = next.catch(() => null);
    orders.set(process, settled);
    return next;
  };

  async function run(process: number, { command, args, cwd, env: own, terminal, output }: RunOptions): Promise<null> {
    const all: Record<string, string> = {
      ...env,
      ...Object.fromEntries(Object.entries(own ?? {}).map(([name, value]) => [name, String(value)])),
      WEBCONTAINER: id,
      WEBCONTAINER_PROCESS: `${id}/${process}`,
    };
    const folder = await followedIn(workdir, cwd ?? "");
    const path = isAbsolute(command) || command.includes("/") ? join(isAbsolute(command) ? "/" : folder, command) : null;
    const found = path === null ? findProgram(command, all["PATH"]) : findProgram(path, "/");
    if (found === null) throw failure("ENOENT", `spawn ${command} ENOENT`);
    const size = terminal ?? { cols: 80, rows: 24 };
    const opened = openTerminal({ command: found, args, cwd: folder, env: all, size, mark: oneOf(id, process) });
    const { child } = opened;
    await once(child, "spawn");
    running.set(process, opened);
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data: Uint8Array) => output && tell({ kind: "output", process, data }));
    child.on("close", (code, signal) => {
      running.delete(process);
      orders.delete(process);
      tell({ kind: "exit", process, code: code ?? 128 + constants.signals[signal ?? "SIGKILL"] });
    });
    return null;
  }

  /** Kills a process. `script` reports what killed its program, so it is killed last, and only if it doesn't end by itself. */
  async function kill(process: number): Promise<null> {
    for (let tries = 0; running.has(process); tries += 1) {
      const own = running.get(process)?.child.pid;
      killNow(processesWith(oneOf(id, process)).filter((pid) => pid !== own || tries > 50));
      await delay(10);
    }
    return null;
  }

  const pids = () => processesWith(allOf(id));
  return {
    calls: {
      run,
      kill,
      write: (process, data) => inOrder(process, (terminal) => terminal.write(data)),
      resize: (process, size) => inOrder(process, (terminal) => terminal.resize(size)),
    },
    pids,
    async end() {
      for (let left = pids(); left.length > 0; left = pids()) {
        killNow(left);
        await delay(10);
      }
    },
  };
}
