/**
 * Finds names such as `*.iml`, `bin/hermit` or `.vscode/**` at the end of a path or, with `**`, anywhere in it. Paths may be long and deep: each
 * segment is looked up once, and no name is tried at each position.
 */

interface Entry {
  /** The index of the name. */
  readonly nth: number;
  /** The folders that must be above, nearest first. */
  readonly above: readonly Matches[];
}

type Matches = (segment: string) => boolean;

/** Names by their last segment: exact, or with `*` in it. */
interface Names {
  readonly exact: Map<string, Entry[]>;
  readonly wild: { readonly matches: Matches; readonly entry: Entry }[];
}

/**
 * Returns a function that finds the index of the first name that matches a path, or -1. `*` in a name matches anything except a slash, and a
 * trailing `**` matches anything.
 */
export function createNameTable(names: readonly string[]): (path: string) => number {
  const [files, folders] = [true, true].map((): Names => ({ exact: new Map(), wild: [] }));
  if (files === undefined || folders === undefined) throw new Error("there is no table");
  for (const [nth, name] of names.entries()) {
    const isFolder = name.endsWith("/**");
    const segments = (isFolder ? name.slice(0, -3) : name).split("/");
    const last = segments.pop() ?? "";
    const entry = { nth, above: segments.toReversed().map(matcher) };
    const { exact, wild } = isFolder ? folders : files;
    if (last.includes("*")) wild.push({ matches: matcher(last), entry });
    else exact.set(last, [...(exact.get(last) ?? []), entry]);
  }
  return (path) => {
    const segments = path.split("/");
    const last = segments.length - 1;
    let first = names.length;
    const look = ({ exact, wild }: Names, at: number) => {
      const segment = segments[at] ?? "";
      const isBelow = ({ above }: Entry) => above.every((matches, up) => at > up && matches(segments[at - up - 1] ?? ""));
      for (const entry of exact.get(segment) ?? []) if (entry.nth < first && isBelow(entry)) first = entry.nth;
      for (const { matches, entry } of wild) if (entry.nth < first && matches(segment) && isBelow(entry)) first = entry.nth;
    };
    // A folder must have something in it, so a trailing slash doesn't count.
    const inside = segments[last] === "" ? last - 1 : last;
    for (let at = 0; at < inside; at++) look(folders, at);
    look(files, last);
    return first === names.length ? -1 : first;
  };
}

/** Doesn't use a regular expression, because expressions that begin with a wildcard are slow on long names. */
function matcher(pattern: string): Matches {
  const [start = "", ...others] = pattern.split("*");
  const end = others.pop();
  if (end === undefined) return (segment) => segment === start;
  return (segment) => {
    if (segment.length < start.length + end.length || !segment.startsWith(start) || !segment.endsWith(end)) return false;
    let from = start.length;
    for (const part of others) {
      const at = segment.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return from <= segment.length - end.length;
  };
}
