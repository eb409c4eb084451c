import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Bash } from "just-bash/browser";
import { lazyCommand } from "../../../src/shell/embedded/commands/command.ts";
import { runGit } from "../../../src/shell/embedded/git/command.ts";
import type { NetAnswer, NetRequest } from "../../../src/shell/network.ts";
import { createShellFiles } from "../../../src/shell/embedded/shell-files.ts";

/** The output of one command line. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** A project in which command lines run one after the other. */
export interface Machine {
  run(line: string): Promise<Printed>;
  /** The project's files, including `.git`. */
  files(): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** Dates that advance by a minute with each command line, so that hashes are the same everywhere. */
function environment(step: number): Record<string, string> {
  const date = `${1_700_000_000 + step * 60} +0000`;
  return {
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  };
}

export interface OurMachine extends Machine {
  put(files: ReadonlyMap<string, Uint8Array>): Promise<void>;
}

export interface OurSettings {
  readonly fetch?: (request: NetRequest) => Promise<NetAnswer>;
  /** Added to each command's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Our git on the shell's own files. */
export function ourMachine({ fetch, env: more = {} }: OurSettings = {}): OurMachine {
  // Equal file times are the hard case for an index.
  const files = createShellFiles({
    refusal: () => null,
    record: () => undefined,
    fetch: async () => null,
    now: () => Date.now(),
    failure: (message) => new Error(message),
  });
  const bash = new Bash({
    fs: files,
    cwd: "/project",
    env: { HOME: "/home" },
    customCommands: [
      lazyCommand("git", async () =>
        runGit({
          fetch: fetch ?? (async () => ({ kind: "refused", why: "there is no network in this test" })),
          show: () => undefined,
          project: "/project",
        }),
      ),
    ],
    defenseInDepth: false,
  });
  let step = 0;
  let cwd = "/project";
  return {
    async run(line) {
      const { stdout, stderr, exitCode, env } = await bash.exec(line, { cwd, env: { ...environment(step++), ...more }, rawScript: true });
      cwd = env["PWD"] ?? cwd;
      return { stdout, stderr, exitCode };
    },
    async put(contents) {
      for (const [path, bytes] of contents) {
        const at = `/project/${path}`;
        await files.mkdir(at.slice(0, at.lastIndexOf("/")), { recursive: true });
        await files.writeFile(at, bytes);
      }
    },
    async files() {
      const found = new Map<string, Uint8Array>();
      for (const path of files.getAllPaths()) {
        if (path.startsWith("/project/") && (await files.stat(path)).isFile)
          found.set(path.slice("/project/".length), await files.readFileBuffer(path));
      }
      return found;
    },
  };
}

/** Spawns asynchronously: the program may contact a server in this process. */
function spawned(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<Printed & { readonly extra: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe", "pipe"] });
    const texts = [1, 2, 3].map((fd) => {
      const parts: Buffer[] = [];
      child.stdio[fd]?.on("data", (part: Buffer) => parts.push(part));
      return () => Buffer.concat(parts).toString("utf8");
    });
    child.on("error", reject);
    child.on("close", (code) => {
      const [stdout = "", stderr = "", extra = ""] = texts.map((text) => text());
      resolve({ stdout, stderr, extra, exitCode: code ?? -1 });
    });
  });
}

export const hasGit = spawnSync("git", ["--version"]).status === 0;

export interface RealMachine extends Machine {
  readonly folder: string;
  put(files: ReadonlyMap<string, Uint8Array>): void;
  end(): void;
}

/** This machine's git, in its own folder. */
export function realMachine(more: Readonly<Record<string, string>> = {}): RealMachine {
  const root = mkdtempSync(join(tmpdir(), "vibey-git-"));
  const folder = join(root, "project");
  mkdirSync(folder);
  writeFileSync(join(root, ".gitconfig"), "[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n");
  let step = 0;
  let cwd = folder;
  const env = (): Record<string, string> => ({
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    GIT_CONFIG_NOSYSTEM: "1",
    LANG: "C.UTF-8",
    TERM: "dumb",
    GIT_TERMINAL_PROMPT: "0",
    ...environment(step++),
    ...more,
  });
  return {
    folder,
    async run(line) {
      const done = await spawned("bash", ["-c", `${line}\ncode=$?; pwd >&3; exit $code`], { cwd, env: env() });
      cwd = done.extra.trim() || cwd;
      const here = (text: string): string => text.replaceAll(folder, "/project");
      return { stdout: here(done.stdout), stderr: here(done.stderr), exitCode: done.exitCode };
    },
    async files() {
      const list = execFileSync("find", [".", "-type", "f"], { cwd: folder, encoding: "utf8" }).split("\n").filter(Boolean);
      const { readFileSync } = await import("node:fs");
      return new Map(list.map((path) => [path.slice(2), new Uint8Array(readFileSync(join(folder, path)))]));
    },
    put(files) {
      for (const [path, bytes] of files) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), bytes);
      }
    },
    end: () => rmSync(root, { recursive: true, force: true }),
  };
}
