/*
 * Patterns of the paths that an agent's file limits the agent to: `artifacts/**` is everything in that folder, `*.md` matches names in the project's
 * root. One star matches any part of a name, two match any part of a path.
 */

const PATTERN = /^[\w*.-]+(?:\/[\w*.-]+)*$/;
const longest = 80;

export const isPathPattern = (text: string): boolean => text.length <= longest && PATTERN.test(text);

/** Whether one of the patterns covers the path. The time is bounded by the lengths of both, whatever they contain. */
export function isCovered(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => covers(pattern, Array.from(path)));
}

/** Stand for one star and two stars of another pattern. No path contains these characters. */
const NAME = "\u0001";
const ANY = "\u0002";

/** The patterns that cover only what both lists cover: those of `inner` that lie entirely within one of `outer`. Null: all paths. */
export function withinPaths(inner: readonly string[] | null, outer: readonly string[] | null): readonly string[] | null {
  if (outer === null) return inner;
  if (inner === null) return outer;
  return inner.filter((one) => isCovered(one.replaceAll(/\*{2,}/g, ANY).replaceAll("*", NAME), outer));
}

function covers(pattern: string, path: readonly string[]): boolean {
  const tokens = pattern.match(/\*\*+|[^]/g) ?? [];
  /** Whether the tokens so far match the first `n` characters. */
  let fits = [true, ...path.map(() => false)];
  for (const token of tokens) {
    if (token.startsWith("*")) {
      const isAny = token.length > 1;
      const next = [...fits];
      for (let at = 1; at <= path.length; at += 1)
        next[at] ||= (next[at - 1] ?? false) && (isAny || (path[at - 1] !== "/" && path[at - 1] !== ANY));
      fits = next;
    } else fits = [false, ...path.map((sign, at) => (fits[at] ?? false) && sign === token)];
  }
  return fits.at(-1) ?? false;
}
