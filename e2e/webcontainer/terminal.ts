import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { needProgram } from "./machine.ts";
import type { Size } from "./messages.ts";
import { processesWith } from "./process-tree.ts";

/** The length in bytes at which Linux terminals cut off a line. */
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
  /** A variable `NAME=value` that only this process has. */
  readonly mark: string;
}

/** The device of the first of these processes whose input is a terminal. */
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

/** Starts a program in its own terminal with util-linux's `script`, which exits with the program's code: 128 + n for signal n. */
export function openTerminal({ command, args, cwd, env, size, mark }: TerminalOptions): Terminal {
  const stty = needProgram("stty");
  const shell = env["SHELL"] ?? "/bin/sh";
  const line = `${stty} cols ${size.cols} rows ${size.rows}; SHELL=${quoted(shell)} exec ${[command, ...args].map(quoted).join(" ")}`;
  const child = spawn(needProgram("script"), ["-qefc", line, "/dev/null"], {
    cwd,
    // `script` uses it to start the command line.
    env: { ...env, SHELL: "/bin/sh" },
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  // A write to an ended process fails; its exit reports that.
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
      // A real container's terminal has no such limit, because no kernel is involved. Turning off line editing removes the limit here.
      if (data.split("\n").some((each) => Buffer.byteLength(each) > longestLine)) await set("-icanon", "min", "1", "time", "0");
      if (!isOver()) child.stdin.write(data);
    },
    resize: ({ cols, rows }) => set("cols", String(cols), "rows", String(rows)),
  };
}

/** Whether terminals work on this machine. */
export const hasTerminals = (): boolean => process.platform === "linux" && readdirSync("/proc").includes("self");
