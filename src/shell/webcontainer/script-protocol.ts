import { readFromShell } from "../embedded/from-shell.ts";
import type { FromShell, ToShell } from "../embedded/protocol.ts";

/**
 * What the engine and one process of the shell in a WebContainer say to each other, in order: the messages of the embedded shell as far as they make
 * sense here, one JSON object a line.
 *
 * - To the script, on its standard input: plain lines. A long one is written as several, all but the last with a backslash at the end, because a
 *   terminal that no one reads yet cuts them.
 * - From the script, on its standard output: each line begins with U+001E, so that it can be told from whatever else is printed there. Both streams
 *   of the process may arrive as one, as a terminal's do: with CRLF for LF, and with what is typed echoed.
 * - A process says `ready` once it is loaded, and runs one command: `run` is answered by `started` and, at the end, by `done`, after which the
 *   process ends. A `run` that comes before `ready` is taken then.
 * - `abort`, SIGTERM and the end of the standard input end what the command has started first; then `done` comes.
 * - Started with `--install`, the script moves itself out of the project, says `installed` and ends.
 */
export type ToScript = Extract<ToShell, { readonly type: "run" | "abort" | "answered" }>;

export type FromScript =
  | { readonly type: "ready" }
  /** Absolute: where the script is now. */
  | { readonly type: "installed"; readonly path: string }
  | Extract<FromShell, { readonly type: "started" | "output" | "background" | "done" }>;

/** Begins each line of the script's. */
export const lineMark = "\u001e";

/** UTF-16 units of one line: far above what a command may print. What is longer is no line of the script's. */
const maxLineLength = 64_000_000;

/** Characters of a line of input: a terminal takes 4,095. */
const inputLine = 1_000;

/** The message in printable ASCII, with its line end. Of the script's it is one line, before which the script puts `lineMark`. */
export function encodeLine(message: ToScript | FromScript): string {
  const text = JSON.stringify(message).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const isInput = message.type === "run" || message.type === "abort" || message.type === "answered";
  return `${isInput ? (text.match(new RegExp(`.{1,${inputLine}}`, "g")) ?? []).join("\\\n") : text}\n`;
}

/** The script's side: takes its input, cut anywhere. Throws at a line that is no JSON: the engine alone writes there. */
export function createInputReader(hear: (message: ToScript) => void): LineReader {
  let rest = "";
  let message = "";
  return {
    take(text) {
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const isContinued = line.endsWith("\\");
        message += isContinued ? line.slice(0, -1) : line;
        if (isContinued || message === "") continue;
        const whole = message;
        message = "";
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine writes these lines.
        hear(JSON.parse(whole) as ToScript);
      }
    },
  };
}

export interface LineHeard {
  readonly line: (message: FromScript) => void;
  /** Everything that is no message, whole lines or parts of them, as it came. */
  readonly stray: (text: string) => void;
}

export interface LineReader {
  /** The next piece of what the process printed, cut anywhere. */
  take(text: string): void;
}

/** Finds the script's lines in what its process prints. */
export function createLineReader({ line, stray }: LineHeard): LineReader {
  /** What came of a line since its mark; null: no line has begun. */
  let pieces: string[] | null = null;
  let length = 0;
  // oxlint-disable-next-line no-control-regex -- the protocol's mark.
  const stop = /[\n\u001e]/g;

  function end(last: string): void {
    const text = [...(pieces ?? []), last].join("").replace(/\r+$/, "");
    pieces = null;
    const message = parse(text);
    if (message === null) stray(`${lineMark}${text}\n`);
    else line(message);
  }

  function giveUp(): void {
    stray(lineMark + (pieces ?? []).join(""));
    pieces = null;
  }

  return {
    take(text) {
      let at = 0;
      while (at < text.length) {
        if (pieces === null) {
          const mark = text.indexOf(lineMark, at);
          if (mark !== at) stray(text.slice(at, mark < 0 ? undefined : mark));
          if (mark < 0) return;
          pieces = [];
          length = 0;
          at = mark + 1;
          continue;
        }
        stop.lastIndex = at;
        const next = stop.exec(text)?.index ?? text.length;
        const piece = text.slice(at, next);
        at = next;
        if (text[next] === "\n") {
          end(piece);
          at = next + 1;
          continue;
        }
        pieces.push(piece);
        length += piece.length;
        // A mark inside of a line: what came before it was cut off by something else.
        if (text[next] === lineMark || length > maxLineLength) giveUp();
      }
    },
  };
}

/** null: no message of the protocol. Anything in the container may print what looks like one. */
function parse(text: string): FromScript | null {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    // That is the answer.
    return null;
  }
  if (typeof data !== "object" || data === null || !("type" in data)) return null;
  if (data.type === "ready") return { type: "ready" };
  if (data.type === "installed") return "path" in data && typeof data.path === "string" ? { type: "installed", path: data.path } : null;
  const message = readFromShell(data);
  switch (message?.type) {
    case "started":
    case "output":
    case "background":
    case "done":
      return message;
    default:
      return null;
  }
}
