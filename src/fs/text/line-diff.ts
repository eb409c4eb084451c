/**
 * Which lines changed, as git's xdiff decides it: the linear-space Myers algorithm with the same limits, and the same shifting of changes to the most
 * readable position. Among equally short diffs it makes git's choices, because people and programs compare the output with git's.
 */
export interface LineChange {
  /** The first changed line of each side, counted from 0. */
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/** Each line with its "\n". The last line may lack it. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const next = end < 0 ? text.length : end + 1;
    lines.push(text.slice(at, next));
    at = next;
  }
  return lines;
}

/** Where a change goes that fits at several positions: the most readable one, as in git, or the latest one, as in GNU diff. */
export type Placing = "readable" | "late";

export interface DiffOptions {
  readonly placing?: Placing;
  /** Finds the shortest diff, however long it takes. */
  readonly minimal?: boolean;
}

export function diffLines(
  oldLines: readonly string[],
  newLines: readonly string[],
  { placing = "readable", minimal = false }: DiffOptions = {},
): LineChange[] {
  const ids = new Map<string, number>();
  const idOf = (line: string): number => {
    const known = ids.get(line);
    if (known !== undefined) return known;
    ids.set(line, ids.size);
    return ids.size - 1;
  };
  const a = createSide(oldLines, idOf);
  const b = createSide(newLines, idOf);
  const [keptA, keptB] = prepare(a, b, ids.size);
  compare(keptA, keptB, minimal);
  compact(a, b, placing);
  compact(b, a, placing);
  return script(a, b);
}

interface Side {
  readonly lines: readonly string[];
  readonly ids: Int32Array;
  readonly changed: Uint8Array;
}

/** The lines that take part in the search: those that also occur on the other side. */
interface Kept {
  readonly side: Side;
  readonly ids: readonly number[];
  readonly index: readonly number[];
}

function createSide(lines: readonly string[], idOf: (line: string) => number): Side {
  return { lines, ids: Int32Array.from(lines, idOf), changed: new Uint8Array(lines.length + 1) };
}

function prepare(a: Side, b: Side, idCount: number): [Kept, Kept] {
  const least = Math.min(a.lines.length, b.lines.length);
  let start = 0;
  while (start < least && a.ids[start] === b.ids[start]) start++;
  let end = 0;
  while (end < least - start && a.ids[a.lines.length - 1 - end] === b.ids[b.lines.length - 1 - end]) end++;
  const countA = counts(a, idCount);
  const countB = counts(b, idCount);
  return [keep(a, countB, start, end), keep(b, countA, start, end)];
}

function counts(side: Side, idCount: number): Int32Array {
  const count = new Int32Array(idCount);
  for (const id of side.ids) count[id] = (count[id] ?? 0) + 1;
  return count;
}

function keep(side: Side, others: Int32Array, start: number, end: number): Kept {
  const last = side.lines.length - 1 - end;
  const many = Math.min(bogusRoot(side.lines.length), 1024);
  const matches = new Uint8Array(side.lines.length);
  for (let i = start; i <= last; i++) {
    const count = others[side.ids[i] ?? 0] ?? 0;
    matches[i] = count === 0 ? 0 : count >= many ? 2 : 1;
  }
  const ids: number[] = [];
  const index: number[] = [];
  for (let i = start; i <= last; i++) {
    if (matches[i] === 1 || (matches[i] === 2 && !isLonely(matches, i, start, last))) {
      index.push(i);
      ids.push(side.ids[i] ?? 0);
    } else side.changed[i] = 1;
  }
  return { side, ids, index };
}

/** Whether a line with many matches is surrounded by lines without matches. */
function isLonely(matches: Uint8Array, i: number, start: number, end: number): boolean {
  const from = Math.max(start, i - 100);
  const to = Math.min(end, i + 100);
  let none = 0;
  let some = 1;
  const look = (at: number): boolean => {
    if (matches[at] === 0) none++;
    else if (matches[at] === 2) some++;
    else return false;
    return true;
  };
  for (let at = i - 1; at >= from && look(at); at--);
  if (none === 0) return false;
  const before = none;
  some++;
  for (let at = i + 1; at <= to && look(at); at++);
  return none > before && some * 4 < some + none;
}

function bogusRoot(count: number): number {
  let root = 1;
  for (let left = count; left > 0; left >>= 2) root <<= 1;
  return root;
}

const snakeLength = 20;
const heuristicFrom = 256;
const far = 0x7fffffff;

function compare(a: Kept, b: Kept, isMinimal: boolean): void {
  const diagonals = a.ids.length + b.ids.length + 3;
  const offset = b.ids.length + 1;
  const forward = new Int32Array(diagonals + 2);
  const backward = new Int32Array(diagonals + 2);
  const maxCost = Math.max(bogusRoot(diagonals), 256);
  const mark = (kept: Kept, at: number): void => {
    kept.side.changed[kept.index[at] ?? 0] = 1;
  };

  function visit(start1: number, end1: number, start2: number, end2: number, minimal: boolean): void {
    let off1 = start1;
    let off2 = start2;
    let lim1 = end1;
    let lim2 = end2;
    while (off1 < lim1 && off2 < lim2 && a.ids[off1] === b.ids[off2]) {
      off1++;
      off2++;
    }
    while (off1 < lim1 && off2 < lim2 && a.ids[lim1 - 1] === b.ids[lim2 - 1]) {
      lim1--;
      lim2--;
    }
    if (off1 === lim1) for (; off2 < lim2; off2++) mark(b, off2);
    else if (off2 === lim2) for (; off1 < lim1; off1++) mark(a, off1);
    else {
      const at = split(off1, lim1, off2, lim2, minimal);
      visit(off1, at.i1, off2, at.i2, at.low);
      visit(at.i1, lim1, at.i2, lim2, at.high);
    }
  }

  function split(
    off1: number,
    lim1: number,
    off2: number,
    lim2: number,
    minimal: boolean,
  ): { i1: number; i2: number; low: boolean; high: boolean } {
    const f = (d: number): number => forward[d + offset] ?? 0;
    const g = (d: number): number => backward[d + offset] ?? 0;
    const dmin = off1 - lim2;
    const dmax = lim1 - off2;
    const fmid = off1 - off2;
    const bmid = lim1 - lim2;
    const odd = ((fmid - bmid) & 1) !== 0;
    let fmin = fmid;
    let fmax = fmid;
    let bmin = bmid;
    let bmax = bmid;
    forward[fmid + offset] = off1;
    backward[bmid + offset] = lim1;
    for (let cost = 1; ; cost++) {
      let snake = false;
      if (fmin > dmin) forward[--fmin - 1 + offset] = -1;
      else ++fmin;
      if (fmax < dmax) forward[++fmax + 1 + offset] = -1;
      else --fmax;
      for (let d = fmax; d >= fmin; d -= 2) {
        let i1 = f(d - 1) >= f(d + 1) ? f(d - 1) + 1 : f(d + 1);
        const before = i1;
        let i2 = i1 - d;
        while (i1 < lim1 && i2 < lim2 && a.ids[i1] === b.ids[i2]) {
          i1++;
          i2++;
        }
        if (i1 - before > snakeLength) snake = true;
        forward[d + offset] = i1;
        if (odd && bmin <= d && d <= bmax && g(d) <= i1) return { i1, i2, low: true, high: true };
      }
      if (bmin > dmin) backward[--bmin - 1 + offset] = far;
      else ++bmin;
      if (bmax < dmax) backward[++bmax + 1 + offset] = far;
      else --bmax;
      for (let d = bmax; d >= bmin; d -= 2) {
        let i1 = g(d - 1) < g(d + 1) ? g(d - 1) : g(d + 1) - 1;
        const before = i1;
        let i2 = i1 - d;
        while (i1 > off1 && i2 > off2 && a.ids[i1 - 1] === b.ids[i2 - 1]) {
          i1--;
          i2--;
        }
        if (before - i1 > snakeLength) snake = true;
        backward[d + offset] = i1;
        if (!odd && fmin <= d && d <= fmax && i1 <= f(d)) return { i1, i2, low: true, high: true };
      }
      if (minimal) continue;
      if (snake && cost > heuristicFrom) {
        let best = 0;
        let at = { i1: 0, i2: 0 };
        for (let d = fmax; d >= fmin; d -= 2) {
          const i1 = f(d);
          const i2 = i1 - d;
          const value = i1 - off1 + (i2 - off2) - Math.abs(d - fmid);
          if (value <= 4 * cost || value <= best || off1 + snakeLength > i1 || i1 >= lim1 || off2 + snakeLength > i2 || i2 >= lim2)
            continue;
          let k = 1;
          while (k <= snakeLength && a.ids[i1 - k] === b.ids[i2 - k]) k++;
          if (k > snakeLength) {
            best = value;
            at = { i1, i2 };
          }
        }
        if (best > 0) return { ...at, low: true, high: false };
        for (let d = bmax; d >= bmin; d -= 2) {
          const i1 = g(d);
          const i2 = i1 - d;
          const value = lim1 - i1 + (lim2 - i2) - Math.abs(d - bmid);
          if (value <= 4 * cost || value <= best || off1 >= i1 || i1 > lim1 - snakeLength || off2 >= i2 || i2 > lim2 - snakeLength)
            continue;
          let k = 0;
          while (k < snakeLength && a.ids[i1 + k] === b.ids[i2 + k]) k++;
          if (k === snakeLength) {
            best = value;
            at = { i1, i2 };
          }
        }
        if (best > 0) return { ...at, low: false, high: true };
      }
      if (cost >= maxCost) {
        let fbest = -1;
        let fbest1 = -1;
        for (let d = fmax; d >= fmin; d -= 2) {
          let i1 = Math.min(f(d), lim1);
          let i2 = i1 - d;
          if (lim2 < i2) {
            i1 = lim2 + d;
            i2 = lim2;
          }
          if (fbest < i1 + i2) {
            fbest = i1 + i2;
            fbest1 = i1;
          }
        }
        let bbest = far;
        let bbest1 = far;
        for (let d = bmax; d >= bmin; d -= 2) {
          let i1 = Math.max(off1, g(d));
          let i2 = i1 - d;
          if (i2 < off2) {
            i1 = off2 + d;
            i2 = off2;
          }
          if (i1 + i2 < bbest) {
            bbest = i1 + i2;
            bbest1 = i1;
          }
        }
        if (lim1 + lim2 - bbest < fbest - (off1 + off2)) return { i1: fbest1, i2: fbest - fbest1, low: true, high: false };
        return { i1: bbest1, i2: bbest - bbest1, low: false, high: true };
      }
    }
  }

  visit(0, a.ids.length, 0, b.ids.length, isMinimal);
}

/** A run of changed lines, or the empty run between two unchanged lines. */
interface Group {
  start: number;
  end: number;
}

function following(side: Side, group: Group): boolean {
  if (group.end === side.lines.length) return false;
  group.start = group.end + 1;
  group.end = group.start;
  while (side.changed[group.end] === 1) group.end++;
  return true;
}

function previous(side: Side, group: Group): void {
  group.end = group.start - 1;
  group.start = group.end;
  while (side.changed[group.start - 1] === 1) group.start--;
}

function slideDown(side: Side, group: Group): boolean {
  if (group.end >= side.lines.length || side.ids[group.start] !== side.ids[group.end]) return false;
  side.changed[group.start++] = 0;
  side.changed[group.end++] = 1;
  while (side.changed[group.end] === 1) group.end++;
  return true;
}

function slideUp(side: Side, group: Group): boolean {
  if (group.start === 0 || side.ids[group.start - 1] !== side.ids[group.end - 1]) return false;
  side.changed[--group.start] = 1;
  side.changed[--group.end] = 0;
  while (side.changed[group.start - 1] === 1) group.start--;
  return true;
}

/** Moves each group to where it joins others. Failing that, to where it meets a group of the other side. Failing that, as `placing` says. */
function compact(side: Side, other: Side, placing: Placing): void {
  const group: Group = { start: 0, end: 0 };
  while (side.changed[group.end] === 1) group.end++;
  const beside: Group = { start: 0, end: 0 };
  while (other.changed[beside.end] === 1) beside.end++;
  do {
    if (group.end === group.start) continue;
    let size: number;
    let earliest: number;
    let meets: number;
    do {
      size = group.end - group.start;
      meets = -1;
      while (slideUp(side, group)) previous(other, beside);
      earliest = group.end;
      if (beside.end > beside.start) meets = group.end;
      while (slideDown(side, group)) {
        following(other, beside);
        if (beside.end > beside.start) meets = group.end;
      }
    } while (size !== group.end - group.start);
    if (group.end === earliest) continue;
    if (meets !== -1) {
      while (beside.end === beside.start) {
        slideUp(side, group);
        previous(other, beside);
      }
    } else if (placing === "readable") {
      let best = -1;
      let bestScore: Score = { indent: 0, penalty: 0 };
      for (let shift = Math.max(earliest, group.end - size - 1, group.end - 100); shift <= group.end; shift++) {
        const score: Score = { indent: 0, penalty: 0 };
        addScore(side, shift, score);
        addScore(side, shift - size, score);
        if (best === -1 || 60 * Math.sign(score.indent - bestScore.indent) + (score.penalty - bestScore.penalty) <= 0) {
          best = shift;
          bestScore = score;
        }
      }
      while (group.end > best) {
        slideUp(side, group);
        previous(other, beside);
      }
    }
  } while (following(side, group) && following(other, beside));
}

interface Score {
  indent: number;
  penalty: number;
}

/** -1 for a line of only white space. */
function indentOf(line: string): number {
  let indent = 0;
  for (let i = 0; i < line.length; i++) {
    const letter = line[i] ?? "";
    if (letter === " ") indent += 1;
    else if (letter === "\t") indent += 8 - (indent % 8);
    else if (!/[\n\v\f\r]/.test(letter)) return indent;
    if (indent >= 200) return 200;
  }
  return -1;
}

/** git's weights for the edge of a change before line `at`. */
function addScore(side: Side, at: number, score: Score): void {
  const { lines } = side;
  const own = at >= lines.length ? -1 : indentOf(lines[at] ?? "");
  const look = (from: number, step: 1 | -1): { indent: number; blank: number } => {
    let blank = 0;
    for (let i = from; i >= 0 && i < lines.length; i += step) {
      const indent = indentOf(lines[i] ?? "");
      if (indent !== -1) return { indent, blank };
      if (++blank === 20) return { indent: 0, blank };
    }
    return { indent: -1, blank };
  };
  const pre = look(at - 1, -1);
  const post = look(at + 1, 1);
  if (pre.indent === -1 && pre.blank === 0) score.penalty += 1;
  if (at >= lines.length) score.penalty += 21;
  const postBlank = own === -1 ? 1 + post.blank : 0;
  const blank = pre.blank + postBlank;
  score.penalty += -30 * blank + 6 * postBlank;
  const indent = own === -1 ? post.indent : own;
  score.indent += indent;
  if (indent === -1 || pre.indent === -1 || indent === pre.indent) return;
  if (indent > pre.indent) score.penalty += blank > 0 ? 10 : -4;
  else if (post.indent !== -1 && post.indent > indent) score.penalty += blank > 0 ? 17 : 24;
  else score.penalty += blank > 0 ? 17 : 23;
}

function script(a: Side, b: Side): LineChange[] {
  const changes: LineChange[] = [];
  for (let i = 0, j = 0; i < a.lines.length || j < b.lines.length; i++, j++) {
    const oldStart = i;
    const newStart = j;
    while (a.changed[i] === 1) i++;
    while (b.changed[j] === 1) j++;
    if (i > oldStart || j > newStart) changes.push({ oldStart, oldCount: i - oldStart, newStart, newCount: j - newStart });
  }
  return changes;
}
