import { Bash } from "just-bash/browser";
import { lazyCommand } from "../../../src/shell/embedded/commands/command.ts";
import type { ShellHost } from "../../../src/shell/embedded/host.ts";
import { learnInterpreter } from "../../../src/shell/embedded/interpreter.ts";
import { node } from "../../../src/shell/embedded/node/command.ts";
import { realClock } from "../../../src/shell/embedded/clock.ts";
import { fetchFromPorts, ownPort } from "../../../src/shell/embedded/loopback/fetch.ts";
import { createPorts } from "../../../src/shell/embedded/loopback/ports.ts";
import { createShellFiles } from "../../../src/shell/embedded/shell-files.ts";
import type { NetAnswer, NetRequest } from "../../../src/shell/network.ts";
import { dialogRefusal } from "../../../src/protocol/write-rules.ts";
import { path as projectPath } from "../../fs/notation.ts";
import { testAssets } from "../assets.ts";

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface MachineOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** Dialogs, which only Vibey may write. */
  readonly dialogs?: Readonly<Record<string, string>>;
  /** How often a program may check whether it must stop. After that, it must. */
  readonly steps?: number;
  readonly fetch?: (request: NetRequest) => NetAnswer;
  /** Called when a file has changed. */
  readonly changed?: () => void;
  /** Set if programs run in the browser's engine. */
  readonly programs?: ShellHost["programs"];
}

export interface Machine {
  readonly run: (line: string) => Promise<Printed>;
  /** Stops everything that runs, as if the user had stopped it. */
  readonly stop: () => void;
}

/** `node` in its own shell, in `/project`. */
export async function ourMachine({
  files = {},
  dialogs = {},
  steps = Infinity,
  fetch,
  changed,
  programs,
}: MachineOptions = {}): Promise<Machine> {
  const shellFiles = createShellFiles({
    refusal: dialogRefusal,
    record: () => changed?.(),
    fetch: async (at) => new TextEncoder().encode(dialogs[at] ?? ""),
    now: () => Date.now(),
    failure: (message) => new Error(message),
  });
  for (const [name, text] of Object.entries(dialogs)) shellFiles.put(projectPath(name), null, text.length, 0);
  shellFiles.mkdirSync("/project");
  shellFiles.mkdirSync("/tmp");
  const aborter = new AbortController();
  const ports = createPorts();
  let left = steps;
  /** Only for programs in a frame, which don't count steps. */
  const end = programs ? performance.now() + 200_000 : Infinity;
  const host: ShellHost = {
    files: shellFiles.now,
    refusedCount: () => shellFiles.refusedCount(),
    project: "/project",
    leaveOut: () => undefined,
    sleep: (ms, signal) => realClock.sleep(ms, signal),
    shows: () => false,
    ports,
    fetch: async (request, asking) =>
      (ownPort(request.url) === null ? null : await fetchFromPorts(ports, request, asking?.signal ?? new AbortController().signal)) ??
      fetch?.(request) ?? { kind: "failed", why: "there is no network" },
    asset: (name) => testAssets(name),
    ...(programs && { programs }),
    show: () => undefined,
    terminal: () => null,
    background: async () => ({ stdout: "", stderr: "", exitCode: 1 }),
    stop: () => (left-- > 0 && performance.now() < end ? null : "time"),
    timeLeft: () => Math.min(programs ? 200_000 : 20_000, end - performance.now()),
    signal: () => aborter.signal,
  };
  // As in the real shell. Otherwise, a program that takes 100 ms to end would end everything around it.
  await learnInterpreter();
  const bash = new Bash({
    fs: shellFiles,
    cwd: "/project",
    env: { HOME: "/project", TMPDIR: "/tmp", PATH: "/usr/bin:/bin" },
    customCommands: [lazyCommand("node", async () => node(host))],
    defenseInDepth: false,
  });
  for (const [name, text] of Object.entries(files)) {
    const at = `/project/${name}`;
    shellFiles.now.makeFolder(at.slice(0, at.lastIndexOf("/")), true);
    shellFiles.now.write(at, new TextEncoder().encode(text));
  }
  return {
    stop() {
      left = 0;
      aborter.abort();
    },
    async run(line) {
      const { stdout, stderr, exitCode } = await bash.exec(line, { rawScript: true });
      return { stdout, stderr, exitCode };
    },
  };
}
