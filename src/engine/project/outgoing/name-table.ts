/*
 * Names of files, such as `*.iml`, `bin/hermit` or `.vscode/**`, that are looked for at the end of a path or, with `**`, anywhere in it. Paths may be
 * long and of many folders: each segment is looked up once, and no name is tried at each place.
 */

interface Entry {
  /** Which of the names it is. */
  readonly nth: number;
  /** The folders that have to stand above, the nearest first. */
  readonly above: readonly Matches[];
}

type Matches = (segment: string) => boolean;

/** Names by what is said of their last segment: exactly it, or with `*` in it. */
interface Names {
  readonly exact: Map<string, Entry[]>;
  readonly wild: { readonly matches: Matches; readonly entry: Entry }[];
}

/** `find`: the first name that a path has; -1: none. In a name `*` is anything but a slash, a last `**` anything. */
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
    // A folder has something in it: what is behind its slash is not the path's end.
    const inside = segments[last] === "" ? last - 1 : last;
    for (let at = 0; at < inside; at++) look(folders, at);
    look(files, last);
    return first === names.length ? -1 : first;
  };
}

/** Without a regular expression: those that begin with anything are slow in long names. */
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
