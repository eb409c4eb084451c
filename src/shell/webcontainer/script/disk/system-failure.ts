/** The messages that bash prints. */
const sayings = new Map([
  ["EACCES", "Permission denied"],
  ["EEXIST", "File exists"],
  ["EISDIR", "Is a directory"],
  ["ELOOP", "Too many levels of symbolic links"],
  ["ENAMETOOLONG", "File name too long"],
  ["ENOENT", "No such file or directory"],
  ["ENOSPC", "No space left on device"],
  ["ENOTDIR", "Not a directory"],
  ["ENOTEMPTY", "Directory not empty"],
  ["EPERM", "Operation not permitted"],
  ["EROFS", "Read-only file system"],
]);

/** Turns a system error into an error that fails only the current command. Any other error, including the shell's own, is returned unchanged. */
export function systemFailure(error: unknown, path: string, failure: (message: string, line: string) => Error): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string" || !("syscall" in error)) return error;
  const saying = sayings.get(error.code);
  return failure(error.message, saying === undefined ? `bash: ${error.message.replace(/^E[A-Z]+: /, "")}` : `bash: ${path}: ${saying}`);
}
