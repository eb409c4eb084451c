import { dialogRefusal } from "../../../../../protocol/write-rules.ts";
import { projectFolder } from "../../../protocol.ts";
import { createShellFiles } from "../../../shell-files.ts";
import { type SyncFiles, SystemError, type TreeEntry } from "../../../sync-files.ts";
import { parsePath } from "../../../../../fs/path.ts";
import { type FileChange, fileChanges, type FromProcess } from "../messages.ts";

/** A process's own copy of the shell's files, which answers at once. What it changes is told by `say`, in order; see `FromProcess`. */
export function processFiles(entries: readonly TreeEntry[], say: (message: FromProcess) => void): SyncFiles {
  const shell = createShellFiles({
    refusal: dialogRefusal,
    record: () => undefined,
    // What was not sent can't be had.
    fetch: async () => null,
    now: () => Date.now(),
    failure: (message) => new Error(message),
  });
  for (const { path, kind, bytes, size, mtime, mode } of entries) {
    if (kind === "folder") shell.mkdirSync(path);
    else {
      const inProject = path.startsWith(`${projectFolder}/`) ? parsePath(path.slice(projectFolder.length + 1)) : null;
      if (inProject?.ok === true) shell.put(inProject.path, bytes, size, mtime);
      else if (bytes !== null && !path.startsWith("/dev/")) {
        shell.writeFileSync(path, bytes);
        shell.now.setTime(path, mtime);
      } else continue;
    }
    if (mode !== null && (kind === "file" || mode !== 0o755)) shell.now.setMode(path, mode);
  }
  const files = shell.now;

  function told(call: FileChange): (...args: unknown[]) => void {
    return (...args) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the operations of files give them, by `fileChanges`.
      const message = { type: "change", call, args: args as (string | number | boolean | Uint8Array)[] } as const;
      try {
        Reflect.apply(files[call], files, args);
      } catch (error) {
        // The shell says at the end what was refused.
        if (error instanceof SystemError && error.code === "EROFS") say(message);
        throw error;
      }
      say(message);
    };
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table's own keys.
  const changes = Object.fromEntries((Object.keys(fileChanges) as FileChange[]).map((call) => [call, told(call)]));
  return { ...files, ...changes };
}
