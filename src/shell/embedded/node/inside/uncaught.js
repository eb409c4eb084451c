// Uncaught errors: how the program learns of them, and how it ends.
import { host } from "./host.js";
import { codeError } from "./errors.js";
import { tellParent } from "./other-processes.js";
import { placeOf, shownFile, textOf } from "./stack.js";
import { inspect } from "./util.js";

const settings = { mode: "throw" };

export function unhandledMode(mode) {
  settings.mode = mode;
}

/** Ends the program at once: the host stops it at the next step. */
export function stop(code) {
  host("exit", code);
  for (;;);
}

let exiting = false;

/** Ends the program in a way that it can still observe. */
export function leave(code) {
  if (code !== undefined) process.exitCode = code;
  if (!exiting) {
    exiting = true;
    process._exiting = true;
    process.emit("exit", process.exitCode ?? 0);
  }
  stop(Number(process.exitCode ?? 0) & 255);
}

function sourceOf(file) {
  const known = textOf(file) ?? textOf(file.replace(/^file:\/\//, ""));
  if (known !== undefined) return known;
  try {
    return host("fs.readText", file.startsWith("file://") ? decodeURIComponent(file.slice(7).replace(/[?#].*$/, "")) : file);
  } catch {
    // The file does not exist any longer, or there is none, so there is no line to show.
    return null;
  }
}

/** The line of the error with a mark below, which Node prints first. */
export function excerpt(place) {
  if (!place?.file) return "";
  const line = sourceOf(place.file)?.split("\n")[place.line - 1];
  if (line === undefined) return `${shownFile(place.file)}:${place.line}\n\n`;
  const column = Math.min(place.column, line.length + 1);
  const statement = /^(\s*)throw\b/.exec(line);
  const mark = statement ? statement[1].length : column - 1;
  const width = place.isName ? /^[\w$]*/.exec(line.slice(mark))[0].length : 1;
  return `${shownFile(place.file)}:${place.line}\n${line}\n${" ".repeat(Math.max(0, mark))}${"^".repeat(Math.max(1, width))}\n${place.isName ? "" : "\n"}`;
}

export function syntaxPlace(error) {
  const match = /^\s+at (?:.*\()?(.*):(\d+):(\d+)\)?$/m.exec(error.stack ?? "");
  if (!match) return undefined;
  // The name of an export that another module lacks.
  const isName = /does not provide an export named '|^Named export '/.test(error.message);
  return { file: match[1], line: Number(match[2]), column: Number(match[3]), isName };
}

/** Replaces QuickJS's words for a missing export by Node's. */
function asNodeSays(error) {
  const missing = error instanceof SyntaxError ? /^Could not find export '(.*)' in module '(.*)'$/.exec(error.message) : null;
  if (!missing) return;
  const message = `The requested module '${missing[2]}' does not provide an export named '${missing[1]}'`;
  Object.defineProperty(error, "stack", { value: error.stack.replace(error.message, () => message), configurable: true, writable: true });
  error.message = message;
}

export function reportError(error) {
  const isError = error instanceof Error;
  if (isError) asNodeSays(error);
  const place = isError ? (placeOf(error) ?? syntaxPlace(error)) : undefined;
  const before = isError ? excerpt(place) : "Uncaught:\n";
  let text;
  try {
    text = inspect(error);
  } catch {
    text = String(error);
  }
  const heap = isError && error.name === "InternalError" && /out of memory/.test(error.message);
  const start = heap
    ? "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory (the limit here is 512 MB)\n\n"
    : "";
  host(
    "print",
    2,
    `${start}${before}${text}\n${isError ? "" : "(Use `node --trace-uncaught ...` to show where the exception was thrown)\n"}\nNode.js ${process.version}\n`,
  );
  return heap ? 134 : 1;
}

/** Handles an exception that was not caught. */
export function uncaught(error, origin = "uncaughtException") {
  try {
    process.emit("uncaughtExceptionMonitor", error, origin);
    if (process.listenerCount("uncaughtException") > 0) {
      process.emit("uncaughtException", error, origin);
      return;
    }
  } catch (later) {
    stop(tell(later) === 134 ? 134 : 7);
  }
  if (!exiting) {
    exiting = true;
    process._exiting = true;
    process.exitCode = 1;
    try {
      process.emit("exit", 1);
    } catch {
      // Node also ignores it.
    }
  }
  const code = tell(error);
  stop(code === 134 ? 134 : Number(process.exitCode ?? 1) & 255);
}

const tell = (error) => (tellParent(error) ? 1 : reportError(error));

/** V8's short name of a value, computed without running any of its code. */
function shortOf(value) {
  if (typeof value === "function") return Function.prototype.toString.call(value);
  if (typeof value !== "object" || value === null) return String(value);
  const tag = Object.prototype.toString.call(value);
  return tag === "[object Object]" ? `#<${value.constructor?.name ?? "Object"}>` : tag;
}

export function unhandledRejection(reason, promise) {
  const { mode } = settings;
  try {
    if (mode !== "strict" && process.emit("unhandledRejection", reason, promise)) return;
  } catch (error) {
    uncaught(error);
    return;
  }
  if (mode === "none") return;
  if (mode === "warn") {
    process.emitWarning(`Unhandled promise rejection. ${inspect(reason)}`, "UnhandledPromiseRejectionWarning");
    return;
  }
  const error =
    reason instanceof Error
      ? reason
      : codeError(
          Error,
          "ERR_UNHANDLED_REJECTION",
          `This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "${shortOf(reason)}".`,
        );
  if (error !== reason) {
    error.name = "UnhandledPromiseRejection";
    // Without a stack line, `inspect` puts brackets around it.
    Object.defineProperty(error, "stack", {
      value: `UnhandledPromiseRejection: ${error.message}\n    at <anonymous>`,
      configurable: true,
      writable: true,
    });
  }
  uncaught(error, "unhandledRejection");
}
