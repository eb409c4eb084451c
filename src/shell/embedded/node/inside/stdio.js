// The source of a child's input and the target of its output.
import { codeError, invalidArgType } from "./errors.js";
import { fileOf, restOf, writeTo } from "./fs-open.js";

/** "pipe", "ignore", or the number of an open file. */
export function wayOf(stdio = "pipe", fd = 0) {
  const given = (typeof stdio === "string" ? stdio : stdio[fd]) ?? "pipe";
  if (given === "inherit") return fd;
  if (given === "pipe" || given === "overlapped") return "pipe";
  if (given === "ignore" || given === "ipc" || typeof given === "number") return given === "ipc" ? "ignore" : given;
  if (typeof given !== "object")
    throw codeError(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'stdio' is invalid. Received ${String(given)}`);
  if (typeof given.fd !== "number") throw invalidArgType("stdio", "an open stream", given);
  return given.fd;
}

/** Writes to the file, even after the program has closed its own. Null: the output goes nowhere, or into a pipe. */
export function writerOf(way) {
  if (typeof way !== "number") return null;
  const file = fileOf(way, "spawn");
  return (bytes) => void writeTo(file, bytes);
}

/** The child's input; null: none, or what is written into its pipe. */
export function inputOf(way) {
  if (typeof way !== "number") return null;
  return restOf(fileOf(way, "spawn"));
}
