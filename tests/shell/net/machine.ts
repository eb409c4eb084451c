import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bash } from "just-bash/browser";
import { lazyCommand } from "../../../src/shell/embedded/commands/command.ts";
import { curl } from "../../../src/shell/embedded/commands/curl.ts";
import { wget } from "../../../src/shell/embedded/commands/wget.ts";
import type { NetHost } from "../../../src/shell/embedded/commands/curl/time.ts";
import { createShellFiles } from "../../../src/shell/embedded/shell-files.ts";
import type { NetAnswer, NetRequest } from "../../../src/shell/network.ts";

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** The files below the working directory after the command. */
  readonly files: Readonly<Record<string, string>>;
}

/** A command's host whose only network is the test's. */
export function testHost(fetch: (request: NetRequest) => Promise<NetAnswer>): NetHost {
  return { fetch, stop: () => null, timeLeft: () => 60_000 - (Date.now() % 60_000) };
}

export function testFiles(): ReturnType<typeof createShellFiles> {
  return createShellFiles({
    refusal: () => null,
    record: () => undefined,
    fetch: async () => null,
    now: () => Date.now(),
    failure: (message) => new Error(message),
  });
}

/** Runs one command line in an empty folder of our shell. */
export async function ours(line: string, env: Record<string, string>, host: NetHost): Promise<Printed> {
  const files = testFiles();
  await files.mkdir("/project/w", { recursive: true });
  const bash = new Bash({
    fs: files,
    cwd: "/project/w",
    env,
    customCommands: [lazyCommand("curl", async () => curl(host)), lazyCommand("wget", async () => wget(host))],
    sleep: async () => undefined,
    defenseInDepth: false,
  });
  const { stdout, stderr, exitCode, stdoutKind } = await bash.exec(line, { rawScript: true });
  const found: Record<string, string> = {};
  for (const path of files.getAllPaths())
    if (path.startsWith("/project/w/") && (await files.stat(path)).isFile)
      found[path.slice("/project/w/".length)] = Buffer.from(await files.readFileBuffer(path)).toString("latin1");
  return { stdout: stdoutKind === "bytes" ? stdout : Buffer.from(stdout).toString("latin1"), stderr, exitCode, files: found };
}

/** The same in bash with this machine's programs. */
export async function real(line: string, env: Record<string, string>): Promise<Printed> {
  const root = mkdtempSync(join(tmpdir(), "vibey-net-"));
  try {
    const cwd = join(root, "w");
    mkdirSync(cwd);
    const done = await new Promise<{ stdout: string; stderr: string; exitCode: number }>((resolve) => {
      const child = execFile(
        "bash",
        ["-c", line],
        { cwd, env: { PATH: process.env["PATH"] ?? "", HOME: root, LANG: "C.UTF-8", ...env }, encoding: "latin1", timeout: 20_000 },
        (_error, stdout, stderr) => resolve({ stdout, stderr, exitCode: child.exitCode ?? -1 }),
      );
      child.stdin?.end();
    });
    const files = Object.fromEntries(
      readdirSync(cwd, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => {
          const at = join(entry.parentPath, entry.name);
          return [at.slice(cwd.length + 1), readFileSync(at, "latin1")];
        }),
    );
    return { ...done, files };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
