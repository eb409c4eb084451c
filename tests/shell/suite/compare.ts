import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { project } from "../project.ts";
import { loopbackWorker } from "../loopback.ts";
import { suiteFiles } from "./cases.ts";

export interface Result {
  readonly stdout: string;
  readonly exitCode: number;
  /** Files that differ from the start, with their new content, or null if deleted. Archives have no content, because their bytes contain times. */
  readonly files: Readonly<Record<string, string | null>>;
}

/** Whether this machine has the real programs. `awk` must be gawk: ours follows gawk where mawk differs. */
export function hasBash(): boolean {
  const found = spawnSync("bash", ["-c", "command -v tar zip unzip jq xxd hexdump patch sed && awk --version | grep -q '^GNU Awk'"]);
  return found.status === 0;
}

/** The files that differ from those with which the suite's commands start. */
export function differences(files: ReadonlyMap<string, Uint8Array>): Record<string, string | null> {
  const differing: Record<string, string | null> = {};
  for (const name of [...new Set([...files.keys(), ...Object.keys(suiteFiles)])].toSorted()) {
    const bytes = files.get(name);
    const content = bytes === undefined ? null : /\.(tgz|tar|gz|zip)$/.test(name) ? "(an archive)" : Buffer.from(bytes).toString("latin1");
    if (content !== suiteFiles[name]) differing[name] = content;
  }
  return differing;
}

export function inBash(command: string): Result {
  const folder = mkdtempSync(join(tmpdir(), "suite-"));
  try {
    for (const [name, content] of Object.entries(suiteFiles)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder, LC_ALL: "C.UTF-8", TZ: "UTC" };
    const done = spawnSync("bash", ["-c", command], { cwd: folder, env, input: "", timeout: 20_000 });
    const files = new Map<string, Uint8Array>();
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      files.set(path.slice(folder.length + 1), readFileSync(path));
    }
    return { stdout: done.stdout.toString().replaceAll(folder, "/project"), exitCode: done.status ?? -1, files: differences(files) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function inOurs(command: string): Promise<Result> {
  const { run, sandbox } = await project({ createWorker: loopbackWorker, contents: suiteFiles });
  try {
    const outcome = await run(command);
    const contents = new Map<string, Uint8Array>(Object.entries(suiteFiles).map(([name, content]) => [name, Buffer.from(content)]));
    for (const { path, bytes } of outcome.changes) {
      if (bytes === null) contents.delete(path);
      else contents.set(path, bytes);
    }
    return { stdout: outcome.stdout, exitCode: outcome.exitCode, files: differences(contents) };
  } finally {
    sandbox.dispose();
  }
}
