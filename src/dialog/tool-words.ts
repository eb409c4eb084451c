/**
 * The effect of the `Authorized` and `Revoked` lines up to some line. Values that follow from one another share one log, so that adding a line costs
 * the same at any length.
 */
export interface ToolWords {
  readonly log: Log;
  /** How many entries of the log count. */
  readonly count: number;
}

interface Log {
  readonly entries: { readonly tool: string; readonly allow: boolean }[];
  /** The indexes of the entries that name a tool, ascending. */
  readonly byTool: Map<string, number[]>;
}

export const noToolWords: ToolWords = { log: newLog(), count: 0 };

/** The last line about the tool decides. A tool without a line is not allowed. */
export function allowsTool(words: ToolWords, tool: string): boolean {
  return lastWord(words, tool) ?? false;
}

/** Whether the last line about the tool allows it. Null if there is none. */
function lastWord({ log, count }: ToolWords, tool: string): boolean | null {
  const places = log.byTool.get(tool) ?? [];
  let from = 0;
  let to = places.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((places[middle] ?? 0) < count) from = middle + 1;
    else to = middle;
  }
  const last = places[from - 1];
  return last === undefined ? null : (log.entries[last]?.allow ?? null);
}

/** Adds a line. Returns the same object if the line changes nothing. */
export function withToolWord(words: ToolWords, tool: string, allow: boolean): ToolWords {
  if (lastWord(words, tool) === allow) return words;
  const { count } = words;
  // Another value may have continued from here already. Its entries must not be visible through this one.
  const log = count > 0 && words.log.entries.length === count ? words.log : copyOf(words);
  add(log, tool, allow);
  return { log, count: count + 1 };
}

/** The allowed tools, in the order in which they were first allowed since they were last revoked. */
export function allowedTools({ log, count }: ToolWords): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { tool, allow } of log.entries.slice(0, count)) {
    if (allow) names.add(tool);
    else names.delete(tool);
  }
  return names;
}

/** The tools whose last line revokes them. */
export function revokedTools({ log, count }: ToolWords): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { tool, allow } of log.entries.slice(0, count)) {
    if (allow) names.delete(tool);
    else names.add(tool);
  }
  return names;
}

function newLog(): Log {
  return { entries: [], byTool: new Map() };
}

function copyOf({ log, count }: ToolWords): Log {
  const copy = newLog();
  for (const { tool, allow } of log.entries.slice(0, count)) add(copy, tool, allow);
  return copy;
}

function add(log: Log, tool: string, allow: boolean): void {
  const places = log.byTool.get(tool);
  if (places) places.push(log.entries.length);
  else log.byTool.set(tool, [log.entries.length]);
  log.entries.push({ tool, allow });
}
