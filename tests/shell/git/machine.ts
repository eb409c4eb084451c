import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
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

/** Runs command lines one after the other. Returns a text for each: the line, its output and its exit code. */
export async function printed(machine: Machine, lines: readonly string[]): Promise<string[]> {
  const rows: string[] = [];
  for (const line of lines) {
    const { stdout, exitCode } = await machine.run(line);
    // The folder of docs and dialogs always exists in our shell.
    rows.push(`$ ${line}\n${stdout.replaceAll(/^vibey\n/gm, "")}[${exitCode}]`);
  }
  return rows;
}

const author = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};

/** The date advances by a minute with each command line, so that hashes are the same everywhere. */
const date = (step: number): string => `${1_700_000_000 + step * 60} +0000`;

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
      const now = date(step++);
      const dates = { GIT_AUTHOR_DATE: now, GIT_COMMITTER_DATE: now };
      const { stdout, stderr, exitCode, env } = await bash.exec(line, { cwd, env: { ...author, ...dates, ...more }, rawScript: true });
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

/**
 * Runs each line in a bash of its own, which a small bash starts: a fork of the test's large process takes ten times as long.
 * It reads a folder, a date and a line, each ended by NUL, and prints the exit code.
 */
const starter = `
while IFS= read -r -d '' folder && IFS= read -r -d '' date && IFS= read -r -d '' line; do
  (cd "$folder" && GIT_AUTHOR_DATE=$date GIT_COMMITTER_DATE=$date exec bash -c "$line"$'\\ncode=$?; pwd >&3; exit $code') \
    </dev/null >"$ROOT/stdout" 2>"$ROOT/stderr" 3>"$ROOT/folder"
  echo $?
done
rm -rf "$ROOT"`;

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
  const bash = spawn("bash", ["-c", starter], {
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"] ?? "",
      ROOT: root,
      HOME: root,
      GIT_CONFIG_NOSYSTEM: "1",
      LANG: "C.UTF-8",
      TERM: "dumb",
      GIT_TERMINAL_PROMPT: "0",
      ...author,
      ...more,
    },
  });
  const codes = createInterface({ input: bash.stdout })[Symbol.asyncIterator]();
  const left = (name: string): string => readFileSync(join(root, name), "utf8").replaceAll(folder, "/project");
  return {
    folder,
    async run(line) {
      bash.stdin.write(`${cwd}\0${date(step++)}\0${line}\0`);
      const { value } = await codes.next();
      if (value === undefined) throw new Error(`bash ended in: ${line}`);
      cwd = readFileSync(join(root, "folder"), "utf8").trim() || cwd;
      return { stdout: left("stdout"), stderr: left("stderr"), exitCode: Number(value) };
    },
    async files() {
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const paths = entries.map((entry) => join(entry.parentPath, entry.name));
      return new Map(paths.map((path) => [relative(folder, path), new Uint8Array(readFileSync(path))]));
    },
    put(files) {
      for (const [path, bytes] of files) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), bytes);
      }
    },
    end: () => bash.stdin.end(),
  };
}
