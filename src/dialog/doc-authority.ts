import { escapeLine } from "./escape.ts";
import { grantedValues, openGrants, takeWord } from "./grants.ts";
import { isToolName } from "./ids.ts";
import { revealLines, withoutUnseen } from "./hidden-lines.ts";

const AUTHORIZED = "> Authorized: ";
const REVOKED = "> Revoked:";
const LIMIT = "> Limit: ";
const AUTHORITY = /^> (?:Authorized|Authorized outside|Revoked|Limit|Schedule):/;

/**
 * The lines of doc-main.md that only a human may write, in order: those that start with `> Authorized:`, `> Authorized outside:`, `> Revoked:`,
 * `> Limit:` or `> Schedule:` at column 0. Only LF ends a line.
 */
export function docAuthority(text: string): string[] {
  return text.split("\n").filter(isAuthority);
}

/**
 * What doc-main.md authorizes, as the values of its lines: first tools, then patterns. The last line that names a value decides. An `Authorized` line
 * must match exactly. A `Revoked` line is read as a person reads it, so an invisible character can't disable it.
 */
export function docAuthorized(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  const patterns = openGrants();
  for (const line of text.split("\n")) {
    const granted = line.startsWith(AUTHORIZED) ? line.slice(AUTHORIZED.length) : "";
    if (isToolName(granted)) names.add(granted);
    takeWord(patterns, granted, true, "main");
    for (const name of revokedIn(line)) {
      names.delete(name);
      takeWord(patterns, name, false, "main");
    }
  }
  return new Set([...names, ...grantedValues(patterns)]);
}

/** The tools whose last line revokes them, each with the number of that line. The first line is 1. */
export function docRevoked(text: string): ReadonlyMap<string, number> {
  const taken = new Map<string, number>();
  for (const [at, line] of text.split("\n").entries()) {
    taken.delete(line.startsWith(AUTHORIZED) ? line.slice(AUTHORIZED.length) : "");
    for (const name of revokedIn(line)) if (isToolName(name)) taken.set(name, at + 1);
  }
  return taken;
}

/** The tools and patterns that a line revokes, as a person reads it. */
function revokedIn(line: string): string[] {
  return revocationsIn(line).map((part) => part.slice(REVOKED.length).trim().split(/\s+/).join(" "));
}

/** The `> Revoked: …` lines that a person reads in a line, without invisible characters. */
function revocationsIn(line: string): string[] {
  const revokes = (part: string): boolean => part.startsWith(REVOKED);
  return revealLines(line, revokes).split("\n").filter(revokes).map(withoutUnseen);
}

/** The lines in effect: authority lines as written, and the revocations hidden in other lines. */
function linesInForce(text: string): string[] {
  return text.split("\n").flatMap((line) => (isAuthority(line) ? [line] : revocationsIn(line)));
}

/** The texts after `> Limit: `, in order. */
export function docLimits(text: string): string[] {
  return docAuthority(text).flatMap((line) => (line.startsWith(LIMIT) ? [line.slice(LIMIT.length).trim()] : []));
}

export type DocGuard =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** Authority lines that were added, or moved among the others. */
      readonly wanted: readonly string[];
      /** Authority lines that were removed or moved. */
      readonly lost: readonly string[];
      /** `after` with the authority of `before`. New lines are escaped. The old ones are put at the top unless they are all still there in order. */
      readonly repaired: string;
    };

/**
 * Whether an agent's change of doc-main.md keeps its authority lines: the same lines in the same order. Lines disguised by invisible characters count
 * too, anywhere in the file: an editor, a decoder or a person who deletes what is before them can remove those characters, and the line would then
 * grant.
 */
export function guardDoc(before: string, after: string): DocGuard {
  const [old, now] = [docAuthority(before), docAuthority(after)];
  const [oldCleaned, nowCleaned] = [docAuthority(revealAuthority(before)), docAuthority(revealAuthority(after))];
  const cleanedSame = same(oldCleaned, nowCleaned);
  if (cleanedSame && same(old, now)) return { ok: true };
  return {
    ok: false,
    ...(cleanedSame ? difference(old, now) : difference(oldCleaned, nowCleaned)),
    repaired: repair(linesInForce(before), after),
  };
}

function repair(old: readonly string[], after: string): string {
  const later = revealAuthority(after);
  const lines = (same(docAuthority(after), docAuthority(later)) ? after : later).split("\n");
  const inPlace: string[] = [];
  let found = 0;
  for (const line of lines) {
    if (line === old[found] && isAuthority(line)) {
      found++;
      inPlace.push(line);
    } else inPlace.push(isAuthority(line) ? inactive(line) : line);
  }
  if (found === old.length) return inPlace.join("\n");

  const left = countLines(old);
  const rest = lines.flatMap((line) => {
    if (!isAuthority(line)) return [line];
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count > 0 ? [] : [inactive(line)];
  });
  const between = rest.length === 0 || rest[0] === "" ? "" : "\n";
  return `${old.join("\n")}\n${between}${rest.join("\n")}`;
}

/** Turns an authority line into plain text, including any authority line hidden in it behind a character that ends a line for other programs. */
function inactive(line: string): string {
  const parts = revealAuthority(escapeLine(line)).split("\n");
  return parts.map((part) => (isAuthority(part) ? escapeLine(part) : part)).join("\n");
}

function difference(old: readonly string[], now: readonly string[]): { wanted: string[]; lost: string[] } {
  const wanted = without(now, old);
  const lost = without(old, now);
  if (wanted.length > 0 || lost.length > 0) return { wanted, lost };
  // The same lines in another order: report those between the first and the last difference.
  let from = 0;
  while (from < now.length && old[from] === now[from]) from++;
  let to = now.length;
  while (to > from && old[to - 1] === now[to - 1]) to--;
  return { wanted: now.slice(from, to), lost: old.slice(from, to) };
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = countLines(others);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

function countLines(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** The text with its hidden authority lines revealed. All other lines keep their invisible characters. */
export function revealAuthority(text: string): string {
  return revealLines(text, isAuthority);
}

function isAuthority(line: string): boolean {
  return AUTHORITY.test(line);
}

function same(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((line, at) => line === right[at]);
}
