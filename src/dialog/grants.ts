import { isCallId, isToolName } from "./ids.ts";
import type { Meta } from "./model.ts";
import { commandPattern, isPattern, isPlainWord, LONGEST_PATTERN, parsePattern, toolsOfPattern, writesPattern } from "./pattern.ts";

/**
 * What lines with patterns allow, and the lines that record which of them allowed a call.
 *
 * - The last line about a pattern decides. `> Revoked: <tool>` also revokes every pattern for that tool.
 * - A command is covered if each of its simple commands is covered. The shell's parser splits it; this file sees only lists of words.
 * - A lookup costs the same for any number of lines.
 */

/** Where a line is. The dialog's head has a copy of the lines of doc-main.md, made when the dialog began. */
export type LinePlace = "main" | "this dialog";

/** A line about a pattern, or one that revokes a tool, linked to the lines before it. A linked list makes adding a line cheap at any length. */
export interface PatternWord {
  readonly value: string;
  readonly allow: boolean;
  readonly place: LinePlace;
  readonly before: PatternWord | null;
}

/** A line that allowed a call. */
export interface AllowingLine {
  readonly value: string;
  readonly place: LinePlace;
}

/** What a call does, for comparison with patterns. */
export type Subject =
  /** The words of each simple command. */
  | { readonly kind: "command"; readonly commands: readonly (readonly string[])[] }
  /** All steps are plain. See `isPlainStep`. */
  | { readonly kind: "write"; readonly path: string };

/** The allowed values, each with the place of its line. */
export interface Grants {
  readonly commands: ReadonlyMap<string, LinePlace>;
  readonly writes: ReadonlyMap<string, LinePlace>;
}

/** Adds a line. Returns the same list if the line doesn't concern patterns. */
export function withPatternWord(before: PatternWord | null, value: string, allow: boolean, place: LinePlace): PatternWord | null {
  const counts = isPattern(value) || (!allow && before !== null && isToolName(value));
  return counts ? { value, allow, place, before } : before;
}

const nothing: Grants = { commands: new Map(), writes: new Map() };
const known = new WeakMap<PatternWord, Grants>();

export function grantsOf(last: PatternWord | null): Grants {
  if (last === null) return nothing;
  const found = known.get(last);
  if (found !== undefined) return found;
  const words: PatternWord[] = [];
  for (let word: PatternWord | null = last; word !== null; word = word.before) words.push(word);
  const open = openGrants();
  for (const { value, allow, place } of words.toReversed()) takeWord(open, value, allow, place);
  known.set(last, open);
  return open;
}

interface OpenGrants extends Grants {
  readonly commands: Map<string, LinePlace>;
  readonly writes: Map<string, LinePlace>;
}

export function openGrants(): OpenGrants {
  return { commands: new Map(), writes: new Map() };
}

/** Applies one line to the grants. */
export function takeWord({ commands, writes }: OpenGrants, value: string, allow: boolean, place: LinePlace): void {
  const pattern = parsePattern(value);
  if (pattern !== null) {
    const about = pattern.kind === "command" ? commands : writes;
    about.delete(value);
    if (allow) about.set(value, place);
  } else if (!allow) {
    if (value === "run_command") commands.clear();
    if (value === "write_file" || value === "edit_file") writes.clear();
  }
}

/** The patterns whose last line revokes them. */
export function revokedPatterns(last: PatternWord | null): ReadonlySet<string> {
  const said = new Map<string, boolean>();
  for (let word = last; word !== null; word = word.before)
    if (isPattern(word.value) && !said.has(word.value)) said.set(word.value, word.allow);
  return new Set([...said].flatMap(([value, allow]) => (allow ? [] : [value])));
}

/** Whether revoking `revoked` also revokes `value`. */
export function takesBack(revoked: string, value: string): boolean {
  if (revoked === value) return true;
  const pattern = parsePattern(value);
  return pattern !== null && toolsOfPattern(pattern).includes(revoked);
}

export function grantedValues({ commands, writes }: Grants): string[] {
  return [...commands.keys(), ...writes.keys()];
}

/** The lines that allow a call, each once. Null if some part of the call is not allowed. */
export function allowingLines(grants: Grants, subject: Subject): readonly AllowingLine[] | null {
  if (subject.kind === "write") {
    const line = lineForPath(grants.writes, subject.path);
    return line && [line];
  }
  if (subject.commands.length === 0) return null;
  const lines = new Map<string, AllowingLine>();
  for (const words of subject.commands) {
    const line = lineForCommand(grants.commands, words);
    if (line === null) return null;
    lines.set(line.value, line);
  }
  return [...lines.values()];
}

/** The narrowest line that covers the command. */
function lineForCommand(commands: Grants["commands"], words: readonly string[]): AllowingLine | null {
  if (commands.size === 0) return null;
  const plain = words.findIndex((word) => !isPlainWord(word));
  const exact = plain < 0 ? lineAt(commands, commandPattern(words, false)) : null;
  if (exact !== null) return exact;
  let found: AllowingLine | null = null;
  // A pattern is short, so only a few words can be its beginning.
  const most = Math.min(plain < 0 ? words.length : plain, LONGEST_PATTERN);
  for (let count = 1; count <= most; count++) found = lineAt(commands, commandPattern(words.slice(0, count), true)) ?? found;
  return found;
}

/** The line for the nearest folder. */
function lineForPath(writes: Grants["writes"], path: string): AllowingLine | null {
  if (writes.size === 0) return null;
  for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
    const line = lineAt(writes, writesPattern(path.slice(0, slash + 1)));
    if (line !== null) return line;
  }
  return null;
}

function lineAt(about: ReadonlyMap<string, LinePlace>, value: string | null): AllowingLine | null {
  const place = value === null ? undefined : about.get(value);
  return value === null || place === undefined ? null : { value, place };
}

/** The key of the lines that record which lines allowed a call: `> Allowed: toolu_1 by main: command npm test *`. */
export const ALLOWED = "Allowed";

const ALLOWED_LINE = /^([A-Za-z0-9_-]{1,128}) by (main|this dialog): (.*)$/;

/** The lines that record why a call was allowed. They grant nothing. */
export function allowedMeta(id: string, lines: readonly AllowingLine[]): Meta[] {
  return lines.map(({ value, place }) => ({ key: ALLOWED, value: `${id} by ${place}: ${value}` }));
}

/** For each allowed call, by its id: the lines that allowed it, according to the file. */
export function allowedCalls(lines: readonly Meta[]): ReadonlyMap<string, readonly AllowingLine[]> {
  const calls = new Map<string, AllowingLine[]>();
  for (const { key, value: text } of lines) {
    if (key !== ALLOWED) continue;
    const [, id, place, value] = ALLOWED_LINE.exec(text) ?? [];
    if (id === undefined || !isCallId(id) || value === undefined || !isPattern(value)) continue;
    const line: AllowingLine = { value, place: place === "main" ? "main" : "this dialog" };
    const others = calls.get(id);
    if (others === undefined) calls.set(id, [line]);
    else others.push(line);
  }
  return calls;
}
