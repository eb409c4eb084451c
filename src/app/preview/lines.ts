import { createSignal } from "solid-js";

export type Level = "debug" | "log" | "info" | "warn" | "error";
export interface ConsoleLine {
  readonly level: Level;
  readonly text: string;
  /** How often the line was repeated in a row. */
  readonly times: number;
}
export interface ConsoleState {
  readonly lines: readonly ConsoleLine[];
  /** The number of earlier lines that are not kept. */
  readonly gone: number;
  /** The counts since the console was last empty, including lines that are gone. */
  readonly errors: number;
  readonly warnings: number;
}

/** The maximum number of lines kept, and UTF-16 units of a line. */
export const consoleLimits = { lines: 500, text: 4_000 } as const;
/** Milliseconds in which lines are collected before they are shown. */
const gather = 100;
const empty: ConsoleState = { lines: [], gone: 0, errors: 0, warnings: 0 };
const levels: readonly string[] = ["debug", "log", "info", "warn", "error"] satisfies Level[];
const isLevel = (level: string): level is Level => levels.includes(level);

/** The state with one more line. */
export function withLine(state: ConsoleState, level: string, text: string): ConsoleState {
  const known = isLevel(level) ? level : "log";
  const last = state.lines.at(-1);
  const same = last?.level === known && last.text === text;
  const lines = same
    ? [...state.lines.slice(0, -1), { ...last, times: last.times + 1 }]
    : [...state.lines, { level: known, text, times: 1 }];
  const over = Math.max(0, lines.length - consoleLimits.lines);
  return {
    lines: over === 0 ? lines : lines.slice(over),
    gone: state.gone + over,
    errors: state.errors + (known === "error" ? 1 : 0),
    warnings: state.warnings + (known === "warn" ? 1 : 0),
  };
}

/** What the previewed page wrote to its console. However much it writes, the screen updates at most ten times a second. */
export function createConsole() {
  const [state, setState] = createSignal(empty);
  let next = empty;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function show() {
    timer = undefined;
    setState(next);
  }
  return {
    state,
    add(level: string, text: string) {
      next = withLine(next, level, text.slice(0, consoleLimits.text));
      timer ??= setTimeout(show, gather);
    },
    clear() {
      clearTimeout(timer);
      next = empty;
      show();
    },
  };
}
