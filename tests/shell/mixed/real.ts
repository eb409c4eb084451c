import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment } from "./sessions.ts";

export interface Answer {
  readonly stdout: string;
  readonly exitCode: number;
}

/** Runs the session in bash with this machine's programs. */
export function inBash(commands: readonly string[]): Answer[] {
  const root = mkdtempSync(join(tmpdir(), "vibey-mixed-"));
  const folder = join(root, "project");
  mkdirSync(folder);
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, LC_ALL: "C.UTF-8", TZ: "UTC", GIT_CONFIG_NOSYSTEM: "1", ...environment };
  try {
    return commands.map((command) => {
      const { stdout, status } = spawnSync("bash", ["-c", command], { cwd: folder, env, input: "", timeout: 20_000 });
      return { stdout: stdout.toString().replaceAll(folder, "/project"), exitCode: status ?? -1 };
    });
  } finally {
    rmSync(root, { recursive: true });
  }
}
