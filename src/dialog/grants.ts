import { isCallId, isToolName } from "./ids.ts";
import type { Meta } from "./model.ts";
import { commandPattern, isPattern, isPlainWord, LONGEST_PATTERN, parsePattern, toolsOfPattern, writesPattern } from "./pattern.ts";

/**
 * What lines with patterns allow, and what is written about a call that one of them let through.
 *
 * - Of the lines about a pattern the last one decides. `> Revoked: <tool>` also takes back every pattern for that tool.
 * - A command is covered when each of its simple commands is. Which these are, the shell's parser says; here they are words.
 * - Looking one up costs the same however many lines there are.
 */

/** Where a line stands: the dialog's head has doc-main.md's lines, copied when the dialog began. */
export type LinePlace = "main" | "this dialog";

/** A line about a pattern, or one that takes a tool back, with those before it: a line costs the same however many stand above it. */
export interface PatternWord {
  readonly value: string;
  readonly allow: boolean;
  readonly place: LinePlace;
  readonly before: PatternWord | null;
}

/** A line that let a call through. */
export interface AllowingLine {
  readonly value: string;
  readonly place: LinePlace;
}

/** What a call does, as far as a pattern can be about it. */
export type Subject =
  /** The words of each simple command. */
  | { readonly kind: "command"; readonly commands: readonly (readonly string[])[] }
  /** Steps that are plain; see `isPlainStep`. */
  | { readonly kind: "write"; readonly path: string };

/** The values that are allowed, each with its place. */
export interface Grants {
  readonly commands: ReadonlyMap<string, LinePlace>;
  readonly writes: ReadonlyMap<string, LinePlace>;
}

/** The line as one more word; the same words when it says nothing about patterns. */
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

/** Changes the grants by one line. */
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

/** The patterns whose last line takes them back. */
export function revokedPatterns(last: PatternWord | null): ReadonlySet<string> {
  const said = new Map<string, boolean>();
  for (let word = last; word !== null; word = word.before)
    if (isPattern(word.value) && !said.has(word.value)) said.set(word.value, word.allow);
  return new Set([...said].flatMap(([value, allow]) => (allow ? [] : [value])));
}

/** Whether a line that takes `revoked` back takes this value back. */
export function takesBack(revoked: string, value: string): boolean {
  if (revoked === value) return true;
  const pattern = parsePattern(value);
  return pattern !== null && toolsOfPattern(pattern).includes(revoked);
}

export function grantedValues({ commands, writes }: Grants): string[] {
  return [...commands.keys(), ...writes.keys()];
}

/** The lines that let a call through, each once; null: none do, or not for all of it. */
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
  // A pattern is short, so that few words can be its beginning.
  const most = Math.min(plain < 0 ? words.length : plain, LONGEST_PATTERN);
  for (let count = 1; count <= most; count++) found = lineAt(commands, commandPattern(words.slice(0, count), true)) ?? found;
  return found;
}

/** The line about the nearest folder. */
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

/** The key of the lines that say which lines let a call through: `> Allowed: toolu_1 by main: command npm test *`. */
export const ALLOWED = "Allowed";

const ALLOWED_LINE = /^([A-Za-z0-9_-]{1,128}) by (main|this dialog): (.*)$/;

/** The lines about a call that was let through. They grant nothing. */
export function allowedMeta(id: string, lines: readonly AllowingLine[]): Meta[] {
  return lines.map(({ value, place }) => ({ key: ALLOWED, value: `${id} by ${place}: ${value}` }));
}

/** By the id of each call that was let through, the lines that did it, as the file says it. */
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
