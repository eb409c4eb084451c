import { diffLines, type LineChange } from "../../../fs/text/line-diff.ts";
import type { Options } from "./options.ts";

/** The lines of both files with their line ends, one character per byte. */
export interface Sides {
  readonly old: readonly string[];
  readonly new: readonly string[];
}

/** `isShown` is false for a change that -B or -I ignores. It is still printed in a hunk with another change. */
export function changesOf(
  sides: Sides,
  options: Options,
): { readonly changes: readonly LineChange[]; readonly isShown: (change: LineChange) => boolean } {
  const plain = plainLine(options);
  const changes = diffLines(plain === null ? sides.old : sides.old.map(plain), plain === null ? sides.new : sides.new.map(plain), {
    placing: "late",
    minimal: options.has("d"),
  });
  const patterns = options.values("I").map((pattern) => new RegExp(pattern));
  const isIgnored = (line: string): boolean =>
    (options.has("B") && (options.has("w") || options.has("b") ? line.trim() === "" : line === "\n")) ||
    patterns.some((pattern) => pattern.test(line.replace(/\n$/, "")));
  if (!options.has("B") && patterns.length === 0) return { changes, isShown: () => true };
  return {
    changes,
    isShown: ({ oldStart, oldCount, newStart, newCount }) =>
      ![...sides.old.slice(oldStart, oldStart + oldCount), ...sides.new.slice(newStart, newStart + newCount)].every(isIgnored),
  };
}

/** Returns the part of a line that is compared; null: the whole line. */
function plainLine(options: Options): ((line: string) => string) | null {
  if (!["i", "cr", "w", "b", "Z"].some((letter) => options.has(letter))) return null;
  return (line) => {
    let text = line;
    if (options.has("cr")) text = text.replace(/\r\n$/, "\n");
    if (options.has("i")) text = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
    if (options.has("w")) return text.replaceAll(/[ \t\n\v\f\r]+/g, "");
    if (options.has("b")) return text.replaceAll(/[ \t\v\f\r]+/g, " ").replace(/ ?\n?$/, "");
    return options.has("Z") ? text.replace(/[ \t\n\v\f\r]+$/, "") : text;
  };
}

const ended = (line: string): string => (line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`);

const prefixed = (lines: readonly string[], prefix: string): string => lines.map((line) => prefix + ended(line)).join("");

export function normal(sides: Sides, changes: readonly LineChange[]): string {
  const range = (start: number, count: number): string =>
    count === 0 ? String(start) : count === 1 ? String(start + 1) : `${start + 1},${start + count}`;
  return changes
    .map(({ oldStart, oldCount, newStart, newCount }) => {
      const kind = oldCount === 0 ? "a" : newCount === 0 ? "d" : "c";
      const gone = prefixed(sides.old.slice(oldStart, oldStart + oldCount), "< ");
      const fresh = prefixed(sides.new.slice(newStart, newStart + newCount), "> ");
      return `${range(oldStart, oldCount)}${kind}${range(newStart, newCount)}\n${gone}${kind === "c" ? "---\n" : ""}${fresh}`;
    })
    .join("");
}

/** Changes that are printed together, with the lines of context. */
interface Hunk {
  readonly changes: readonly LineChange[];
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

function hunksOf({ old }: Sides, changes: readonly LineChange[], isShown: (change: LineChange) => boolean, around: number): Hunk[] {
  const hunks: Hunk[] = [];
  for (let at = 0; at < changes.length; ) {
    let end = at + 1;
    for (; end < changes.length; end++) {
      const [before, next] = [changes[end - 1], changes[end]];
      // An ignored change does not join two others that are far apart.
      const most = next && isShown(next) ? 2 * around + 1 : around;
      if (!before || !next || next.oldStart - (before.oldStart + before.oldCount) >= most) break;
    }
    const group = changes.slice(at, end);
    at = end;
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last || !group.some(isShown)) continue;
    const before = Math.min(around, first.oldStart);
    const after = Math.min(around, old.length - (last.oldStart + last.oldCount));
    hunks.push({
      changes: group,
      oldFrom: first.oldStart - before,
      oldTo: last.oldStart + last.oldCount + after,
      newFrom: first.newStart - before,
      newTo: last.newStart + last.newCount + after,
    });
  }
  return hunks;
}

/** -p: the last line above a hunk that looks like the start of a function. */
function functionAbove(lines: readonly string[], from: number): string {
  for (let i = from - 1; i >= 0; i--) {
    const line = lines[i] ?? "";
    if (/^[A-Za-z$_]/.test(line)) return ` ${line.replace(/\n$/, "").slice(0, 40).trimEnd()}`;
  }
  return "";
}

export function unified(
  sides: Sides,
  changes: readonly LineChange[],
  isShown: (change: LineChange) => boolean,
  around: number,
  withFunctions: boolean,
): string {
  const range = (from: number, to: number): string =>
    to - from === 1 ? String(from + 1) : `${to === from ? from : from + 1},${to - from}`;
  let text = "";
  for (const hunk of hunksOf(sides, changes, isShown, around)) {
    const above = withFunctions ? functionAbove(sides.old, hunk.oldFrom) : "";
    text += `@@ -${range(hunk.oldFrom, hunk.oldTo)} +${range(hunk.newFrom, hunk.newTo)} @@${above}\n`;
    let at = hunk.oldFrom;
    for (const { oldStart, oldCount, newStart, newCount } of hunk.changes) {
      text += prefixed(sides.old.slice(at, oldStart), " ");
      at = oldStart + oldCount;
      text += prefixed(sides.old.slice(oldStart, at), "-");
      text += prefixed(sides.new.slice(newStart, newStart + newCount), "+");
    }
    text += prefixed(sides.old.slice(at, hunk.oldTo), " ");
  }
  return text;
}

export function contextual(
  sides: Sides,
  changes: readonly LineChange[],
  isShown: (change: LineChange) => boolean,
  around: number,
  withFunctions: boolean,
): string {
  const range = (from: number, to: number): string => (to - from <= 1 ? String(to) : `${from + 1},${to}`);
  let text = "";
  for (const hunk of hunksOf(sides, changes, isShown, around)) {
    const above = withFunctions ? functionAbove(sides.old, hunk.oldFrom) : "";
    text += `***************${above}\n*** ${range(hunk.oldFrom, hunk.oldTo)} ****\n`;
    const part = (
      lines: readonly string[],
      from: number,
      to: number,
      mark: string,
      own: (change: LineChange) => readonly [start: number, count: number],
      others: (change: LineChange) => number,
    ): string => {
      if (hunk.changes.every((change) => own(change)[1] === 0)) return "";
      let printed = "";
      let at = from;
      for (const change of hunk.changes) {
        const [start, count] = own(change);
        printed += prefixed(lines.slice(at, start), "  ");
        at = start + count;
        printed += prefixed(lines.slice(start, at), others(change) > 0 ? "! " : mark);
      }
      return printed + prefixed(lines.slice(at, to), "  ");
    };
    text += part(
      sides.old,
      hunk.oldFrom,
      hunk.oldTo,
      "- ",
      (change) => [change.oldStart, change.oldCount],
      (change) => change.newCount,
    );
    text += `--- ${range(hunk.newFrom, hunk.newTo)} ----\n`;
    text += part(
      sides.new,
      hunk.newFrom,
      hunk.newTo,
      "+ ",
      (change) => [change.newStart, change.newCount],
      (change) => change.oldCount,
    );
  }
  return text;
}
