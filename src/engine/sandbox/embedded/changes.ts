import type { Path } from "../../../fs/path.ts";
import { equalBytes } from "../equal-bytes.ts";
import type { SandboxChange, SandboxFiles } from "../sandbox.ts";
import type { ShellWorker } from "./shell-worker.ts";
import type { TouchedFile } from "./touched.ts";

/** What differs from what the worker was given. A file that was written with the content that it had is no change. */
export async function changesOf(touched: readonly TouchedFile[], shell: ShellWorker, files: SandboxFiles): Promise<SandboxChange[]> {
  const changes: SandboxChange[] = [];
  for (const { path, bytes } of touched) {
    const base = shell.given(path);
    if (bytes === null && base === null) continue;
    if (bytes !== null && base !== null && (await isStill(path, base, bytes, files))) continue;
    changes.push({ path, bytes, base });
  }
  return changes;
}

async function isStill(path: Path, version: number, bytes: Uint8Array, files: SandboxFiles): Promise<boolean> {
  const now = await files.read(path);
  return now !== null && now.version === version && equalBytes(now.bytes, bytes);
}
