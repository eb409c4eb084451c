import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Printed } from "./machine.ts";

/** Runs a command line in this machine's bash and Node, in a new folder that the output shows as `/project`. */
export async function inNode(line: string, files: Readonly<Record<string, string>>): Promise<Printed> {
  const folder = mkdtempSync(join(tmpdir(), "vibey-node-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const child = spawn("bash", ["-c", line], {
      cwd: folder,
      env: {
        PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
        HOME: folder,
        LANG: "C.UTF-8",
        TERM: "dumb",
        TZ: "UTC",
        NODE_DISABLE_COLORS: "1",
      },
      stdio: ["ignore", "pipe", "pipe"],
      // A new process group, so that no program outlives its case.
      detached: true,
    });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("latin1").on("data", (text: string) => (output[name] += text));
    const exitCode = await new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? -1)));
    endGroup(child.pid);
    const here = (text: string): string => Buffer.from(text, "latin1").toString("utf8").replaceAll(folder, "/project");
    return { stdout: here(output.stdout), stderr: here(output.stderr), exitCode };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch (error) {
    // ESRCH: no process of the group is left.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
