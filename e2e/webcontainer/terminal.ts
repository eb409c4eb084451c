import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { needProgram } from "./machine.ts";
import type { Size } from "./messages.ts";
import { processesWith } from "./process-tree.ts";

/** Bytes of a line that Linux's terminals hold; of a longer one they keep no more. */
const longestLine = 4095;

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export interface Terminal {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  write(data: string): Promise<void>;
  resize(size: Size): Promise<void>;
}

export interface TerminalOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly size: Size;
  /** A variable `NAME=value` of the process's alone. */
  readonly mark: string;
}

/** The device of the first of these processes that has one as its input. */
function deviceOf(pids: readonly number[]): string | null {
  for (const pid of pids) {
    try {
      const device = readlinkSync(`/proc/${pid}/fd/0`);
      if (/^\/dev\/pts\/\d+$/.test(device)) return device;
    } catch (error) {
      if (!["ENOENT", "ESRCH", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
  return null;
}

/** Starts a program in a terminal of its own, with util-linux' `script`, which ends as it ended: signal n as 128 + n. */
export function openTerminal({ command, args, cwd, env, size, mark }: TerminalOptions): Terminal {
  const stty = needProgram("stty");
  const shell = env["SHELL"] ?? "/bin/sh";
  const line = `${stty} cols ${size.cols} rows ${size.rows}; SHELL=${quoted(shell)} exec ${[command, ...args].map(quoted).join(" ")}`;
  const child = spawn(needProgram("script"), ["-qefc", line, "/dev/null"], {
    cwd,
    // `script` starts the line with it.
    env: { ...env, SHELL: "/bin/sh" },
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  // Who writes to a process that has ended is told by its exit.
  child.stdin.on("error", () => child.stdin.destroy());

  const set = async (...settings: string[]) => {
    for (; !isOver(); await delay(5)) {
      const device = deviceOf(processesWith(mark).filter((pid) => pid !== child.pid));
      if (device !== null) return void execFileSync(stty, ["-F", device, ...settings]);
    }
  };

  return {
    child,
    async write(data) {
      // A real container's terminal is no kernel's and has no such limit. Here it goes with the editing of lines.
      if (data.split("\n").some((each) => Buffer.byteLength(each) > longestLine)) await set("-icanon", "min", "1", "time", "0");
      if (!isOver()) child.stdin.write(data);
    },
    resize: ({ cols, rows }) => set("cols", String(cols), "rows", String(rows)),
  };
}

/** Whether this machine has what terminals need. */
export const hasTerminals = (): boolean => process.platform === "linux" && readdirSync("/proc").includes("self");
