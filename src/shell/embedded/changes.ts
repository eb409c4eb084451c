import type { Path } from "../../fs/path.ts";
import { batches } from "../batches.ts";
import { equalBytes } from "../equal-bytes.ts";
import type { SandboxChange, SandboxFiles } from "../sandbox.ts";
import type { ShellWorker } from "./shell-worker.ts";
import type { TouchedFile } from "./touched.ts";

/** How many files and how many bytes are compared in one batch. Between two batches the engine has time for other work. */
export const comparedAtOnce = { files: 200, bytes: 8_000_000 };

/** Returns what differs from what the worker was given. A file that was rewritten with the same content is not a change. */
export async function changesOf(touched: readonly TouchedFile[], shell: ShellWorker, files: SandboxFiles): Promise<SandboxChange[]> {
  const changes: SandboxChange[] = [];
  for (const batch of batches(touched, ({ bytes }) => bytes?.length ?? 0, comparedAtOnce)) {
    const rewritten = batch.flatMap(({ path, bytes }) => (bytes !== null && shell.given(path) !== null ? [path] : []));
    const contents = rewritten.length === 0 ? [] : await files.readMany(rewritten);
    const now = new Map<Path, (typeof contents)[number]>(rewritten.map((path, at) => [path, contents[at] ?? null]));
    for (const { path, bytes, keeps } of batch) {
      const base = shell.given(path);
      if (bytes === null && base === null) continue;
      const there = now.get(path);
      if (bytes !== null && there && there.version === base && equalBytes(there.bytes, bytes)) continue;
      changes.push({ path, bytes, base, ...(keeps !== null && { keeps }) });
    }
  }
  return changes;
}
