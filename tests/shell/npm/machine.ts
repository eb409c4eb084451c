import { Bash } from "just-bash/browser";
import { embeddedCommands } from "../../../src/shell/embedded/commands/embedded.ts";
import type { ShellHost } from "../../../src/shell/embedded/host.ts";
import { learnInterpreter } from "../../../src/shell/embedded/interpreter.ts";
import { realClock } from "../../../src/shell/embedded/clock.ts";
import { fetchFromPorts, ownPort } from "../../../src/shell/embedded/loopback/fetch.ts";
import { createPorts } from "../../../src/shell/embedded/loopback/ports.ts";
import { forgetAnswers } from "../../../src/shell/embedded/npm/registry/registry.ts";
import { createShellFiles, type ShellFiles } from "../../../src/shell/embedded/shell-files.ts";
import type { NetAnswer, NetRequest } from "../../../src/shell/network.ts";
import type { StandIn } from "./stand-in.ts";

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface NpmMachine {
  readonly files: ShellFiles;
  run(line: string): Promise<Printed>;
  put(contents: Readonly<Record<string, string | object>>): void;
  read(path: string): string;
  /** Every file of the project below `folder`, sorted. */
  list(folder?: string): string[];
  /** Packages in node_modules: `a/b@1.0.0` is b inside a. */
  tree(): string[];
  /** Messages of the network other than about the registry. Usually none. */
  readonly progress: string[];
  /** Sets the network's answers from now on. */
  network(answer: (request: NetRequest) => NetAnswer): void;
  /** Makes commands stop from now on. */
  stop(): void;
}

/** The shell with all its commands, a project in memory, and a stand-in registry as its network. */
export function npmMachine(registry: StandIn, extra: Partial<ShellHost> = {}): NpmMachine {
  forgetAnswers();
  const files = createShellFiles({
    refusal: () => null,
    record: () => undefined,
    fetch: async () => null,
    now: () => Date.now(),
    failure: (message) => new Error(message),
  });
  const ports = createPorts();
  const progress: string[] = [];
  let answer = (request: NetRequest): NetAnswer => registry.answer(request);
  let stopped: "aborted" | null = null;
  const host: ShellHost = {
    files: files.now,
    refusedCount: () => 0,
    project: "/project",
    leaveOut: () => undefined,
    sleep: (ms, signal) => realClock.sleep(ms, signal),
    shows: () => false,
    fetch: async (request) =>
      (ownPort(request.url) === null ? null : await fetchFromPorts(ports, request, new AbortController().signal)) ?? answer(request),
    ports,
    asset: async (name) => {
      throw new Error(`${name} is not here`);
    },
    show: ({ stream, text }) => void (stream === "progress" && progress.push(text)),
    terminal: () => null,
    background: async () => ({ stdout: "", stderr: "", exitCode: 1 }),
    stop: () => stopped,
    timeLeft: () => 30_000,
    signal: () => new AbortController().signal,
    ...extra,
  };
  const bash = new Bash({
    fs: files,
    cwd: "/project",
    env: { HOME: "/project" },
    customCommands: [...embeddedCommands(host)],
    defenseInDepth: false,
  });
  let cwd = "/project";
  const list = (folder = ""): string[] => {
    const start = `/project${folder === "" ? "" : `/${folder}`}`;
    return files
      .getAllPaths()
      .filter((path) => path.startsWith(`${start}/`) && files.now.stat(path)?.kind === "file")
      .map((path) => path.slice("/project/".length))
      .toSorted();
  };
  const read = (path: string): string => new TextDecoder().decode(files.now.read(`/project/${path}`));
  return {
    files,
    progress,
    list,
    read,
    async run(line) {
      await learnInterpreter();
      const { stdout, stderr, exitCode, env } = await bash.exec(line, { cwd, rawScript: true });
      cwd = env["PWD"] ?? cwd;
      return { stdout, stderr, exitCode };
    },
    put(contents) {
      for (const [path, content] of Object.entries(contents)) {
        const at = `/project/${path}`;
        files.now.makeFolder(at.slice(0, at.lastIndexOf("/")), true);
        files.now.write(at, new TextEncoder().encode(typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`));
      }
    },
    tree: () =>
      list("node_modules")
        .filter((path) => /^(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+package\.json$/.test(path))
        .map((path) => {
          const value: unknown = JSON.parse(read(path));
          const version = typeof value === "object" && value !== null && "version" in value ? String(value.version) : "";
          return `${path.slice("node_modules/".length, -"/package.json".length).replaceAll("/node_modules/", " > ")}@${version}`;
        })
        .toSorted(),
    network: (next) => void (answer = next),
    stop: () => void (stopped = "aborted"),
  };
}
