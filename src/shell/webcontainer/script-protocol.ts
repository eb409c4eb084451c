import { readFromShell } from "../embedded/from-shell.ts";
import type { FromShell, ToShell } from "../embedded/protocol.ts";

/**
 * The protocol between the engine and one process of the shell in a WebContainer: the embedded shell's messages that make sense here, one JSON object
 * per line.
 *
 * - To the script, on its standard input: plain lines. A long line is split into several, all but the last ending in a backslash, because a terminal
 *   cuts long lines while no one reads them.
 * - From the script, on its standard output: each line begins with U+001E, to tell it from anything else printed there. Both streams of the process
 *   may arrive as one, as a terminal's do: with CRLF for LF, and with the input echoed.
 * - A process sends `ready` once it is loaded, and runs one command: it answers `run` with `started` and, at the end, with `done`, and then ends. A
 *   `run` that arrives before `ready` is kept until then.
 * - After `abort`, SIGTERM or the end of standard input, the script first ends what the command has started, then sends `done`.
 * - Started with `--install`, the script moves itself out of the project, sends `installed` and ends.
 */
export type ToScript = Extract<ToShell, { readonly type: "run" | "abort" | "answered" }>;

export type FromScript =
  | { readonly type: "ready" }
  /** The absolute path of the script's new place. */
  | { readonly type: "installed"; readonly path: string }
  | Extract<FromShell, { readonly type: "started" | "output" | "background" | "done" }>;

/** Begins each line that the script sends. */
export const lineMark = "\u001e";

/** UTF-16 units of one line, far more than a command may print. A longer line is not the script's. */
const maxLineLength = 64_000_000;

/** Characters per line of input: a terminal takes 4,095. */
const inputLine = 1_000;

/** Encodes the message in printable ASCII, with its line end. A message of the script is a single line; the script puts `lineMark` in front of it. */
export function encodeLine(message: ToScript | FromScript): string {
  const text = JSON.stringify(message).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const isInput = message.type === "run" || message.type === "abort" || message.type === "answered";
  return `${isInput ? (text.match(new RegExp(`.{1,${inputLine}}`, "g")) ?? []).join("\\\n") : text}\n`;
}

/** The script's side: reads its input, which may be cut anywhere. Throws on a line that is not JSON, because only the engine writes there. */
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
  /** Receives everything that is not a message, whole lines or parts of them, unchanged. */
  readonly stray: (text: string) => void;
}

export interface LineReader {
  /** Takes the next piece of the process's output, which may be cut anywhere. */
  take(text: string): void;
}

/** Finds the script's lines in its process's output. */
export function createLineReader({ line, stray }: LineHeard): LineReader {
  /** The pieces of the line since its mark; null: no line has begun. */
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
        // A mark inside a line: other output cut off what came before it.
        if (text[next] === lineMark || length > maxLineLength) giveUp();
      }
    },
  };
}

/** Returns null if the text is not a message of the protocol. Anything in the container may print text that looks like one. */
function parse(text: string): FromScript | null {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    // The text is not JSON, so it is no message.
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
