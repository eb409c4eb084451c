import { diffLines, type LineChange } from "./line-diff.ts";

export interface MergedLines {
  readonly lines: readonly string[];
  readonly conflicts: number;
}

/**
 * Merges two versions of `base`, as git does. Changes that touch are a conflict, written with markers, unless they are identical. `favor`: the side
 * to take instead of writing a conflict; "union": both.
 */
export function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  labels: { readonly ours: string; readonly theirs: string },
  favor: "ours" | "theirs" | "union" | null = null,
): MergedLines {
  const result: string[] = [];
  let conflicts = 0;
  for (const part of joined(regions(base, ours, theirs).flatMap((region) => (region.kind === "conflict" ? refine(region) : [region])))) {
    if (part.kind !== "conflict") append(result, part.lines);
    else if (favor === "union") append(result, [...closed(part.ours, "\n"), ...part.theirs]);
    else if (favor !== null) append(result, part[favor]);
    else {
      conflicts++;
      const before = result.at(-1);
      const end =
        mayEndInCrlf(before ?? ours[0]) && mayEndInCrlf(before ?? theirs[0]) && base[0]?.endsWith("\r\n") === true ? "\r\n" : "\n";
      result.push(`<<<<<<< ${labels.ours}${end}`);
      append(result, closed(part.ours, end));
      result.push(`=======${end}`);
      append(result, closed(part.theirs, end));
      result.push(`>>>>>>> ${labels.theirs}${end}`);
    }
  }
  return { lines: result, conflicts };
}

interface Conflict {
  readonly kind: "conflict";
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/**
 * "same": lines of the base that neither version changed, or lines that both sides of a conflict have. "taken": one version's change, or an identical
 * change of both.
 */
type Region = { readonly kind: "same" | "taken"; readonly lines: readonly string[] } | Conflict;

function regions(base: readonly string[], ours: readonly string[], theirs: readonly string[]): Region[] {
  const a = diffLines(base, ours);
  const b = diffLines(base, theirs);
  const found: Region[] = [];
  let at = 0;
  // How far each version is ahead of the base.
  let shiftA = 0;
  let shiftB = 0;
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const start = Math.min(a[i]?.oldStart ?? Infinity, b[j]?.oldStart ?? Infinity);
    let end = start;
    const groupA: LineChange[] = [];
    const groupB: LineChange[] = [];
    // Groups the changes of both versions that touch one another.
    for (;;) {
      const nextA = a[i];
      const nextB = b[j];
      if (nextA && nextA.oldStart <= end && (groupA.length + groupB.length > 0 || nextA.oldStart === start)) {
        groupA.push(nextA);
        end = Math.max(end, nextA.oldStart + nextA.oldCount);
        i++;
      } else if (nextB && nextB.oldStart <= end && (groupA.length + groupB.length > 0 || nextB.oldStart === start)) {
        groupB.push(nextB);
        end = Math.max(end, nextB.oldStart + nextB.oldCount);
        j++;
      } else break;
    }
    found.push({ kind: "same", lines: base.slice(at, start) });
    const growA = growth(groupA);
    const growB = growth(groupB);
    const partA = ours.slice(start + shiftA, end + shiftA + growA);
    const partB = theirs.slice(start + shiftB, end + shiftB + growB);
    shiftA += growA;
    shiftB += growB;
    if (groupB.length === 0 || same(partA, partB)) found.push({ kind: "taken", lines: partA });
    else if (groupA.length === 0) found.push({ kind: "taken", lines: partB });
    else found.push({ kind: "conflict", ours: partA, theirs: partB });
    at = end;
  }
  found.push({ kind: "same", lines: base.slice(at) });
  return found;
}

function growth(changes: readonly LineChange[]): number {
  return changes.reduce((sum, change) => sum + change.newCount - change.oldCount, 0);
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}

/** Removes the lines that both sides have from the conflict. */
function refine({ ours, theirs }: Conflict): Region[] {
  if (ours.length === 0 || theirs.length === 0) return [{ kind: "conflict", ours, theirs }];
  const parts: Region[] = [];
  let at = 0;
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(ours, theirs)) {
    parts.push({ kind: "same", lines: ours.slice(at, oldStart) });
    parts.push({ kind: "conflict", ours: ours.slice(oldStart, oldStart + oldCount), theirs: theirs.slice(newStart, newStart + newCount) });
    at = oldStart + oldCount;
  }
  parts.push({ kind: "same", lines: ours.slice(at) });
  return parts;
}

/** Two conflicts with at most this many lines between them become one conflict, which includes these lines on both sides. */
const shortGap = 3;

function joined(parts: readonly Region[]): Region[] {
  const result: Region[] = [];
  let gap: string[] = [];
  /** The conflict at the end of `result`. */
  let last: { readonly ours: string[]; readonly theirs: string[] } | null = null;
  for (const part of parts) {
    if (part.kind === "same") {
      append(gap, part.lines);
      continue;
    }
    if (part.kind === "conflict" && last && gap.length <= shortGap) {
      append(last.ours, gap);
      append(last.ours, part.ours);
      append(last.theirs, gap);
      append(last.theirs, part.theirs);
    } else {
      last = part.kind === "conflict" ? { ours: [...part.ours], theirs: [...part.theirs] } : null;
      result.push({ kind: "same", lines: gap }, last ? { kind: "conflict", ...last } : part);
    }
    gap = [];
  }
  return [...result, { kind: "same", lines: gap }];
}

/** One by one: there may be more lines than a call can take as arguments. */
function append(to: string[], lines: readonly string[]): void {
  for (const line of lines) to.push(line);
}

/** Ends the last line, so that a marker starts on its own line. */
function closed(lines: readonly string[], end: string): string[] {
  return lines.map((line, i) => (i === lines.length - 1 && !line.endsWith("\n") ? line + end : line));
}

/** Markers end like the lines around them. A line without an end says nothing. */
function mayEndInCrlf(line: string | undefined): boolean {
  return line?.endsWith("\n") !== true || line.endsWith("\r\n");
}
