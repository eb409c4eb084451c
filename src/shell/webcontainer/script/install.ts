import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Moves the script out of the project, where it would be one of its files. Returns the new path, or the old one if it can't be moved. */
export function install(script: string): string {
  const folder = join(tmpdir(), "vibey");
  const target = join(folder, "shell.mjs");
  if (script === target) return script;
  try {
    mkdirSync(folder, { recursive: true });
    copyFileSync(script, target);
  } catch {
    return script;
  }
  rmSync(script, { force: true });
  return target;
}
