import type { Lines } from "../../../dialog/lines.ts";
import type { Counts, Kind, Point } from "./point.ts";

export interface SummaryBudget {
  readonly points: number;
  /** The UTF-8 bytes of all points, as measured by `size`. */
  readonly bytes: number;
}

/** How many commands a group names. */
const namedCommands = 4;

/** Joins adjacent successful calls into one point. They can be calls of any tool. */
export function groupCommands(points: readonly Point[]): Point[] {
  return runs(points, isCommand).map((run) => {
    const [first] = run;
    if (run.length === 1 && first && !isCommand(first)) return first;
    const named = run.slice(0, namedCommands).map(({ text }) => text);
    const more = run.length > namedCommands ? ` and ${run.length - namedCommands} more` : "";
    return { lines: span(run), text: `Ran ${named.join(", ")}${more}`, counts: sum(run) };
  });
}

/**
 * The points, folded if there are too many. A folded point says how many of each kind it stands for, and spans their lines. No point is lost.
 * Intermediate steps and commands are folded first, then old points. The last points stay.
 */
export function foldPoints(points: readonly Point[], room: SummaryBudget, size: (point: Point) => number): Point[] {
  const fits = (some: readonly Point[]): boolean =>
    some.length <= room.points && some.reduce((bytes, point) => bytes + size(point), 0) <= room.bytes;
  if (fits(points)) return [...points];
  for (const recent of [100, 50, 25]) {
    const folded = foldSteps(points, recent);
    if (fits(folded)) return folded;
  }
  for (const recent of [80, 40, 20, 10, 5, 2]) {
    const folded = foldOld(foldSteps(points, recent), recent);
    if (fits(folded)) return folded;
  }
  return points.length === 0 ? [] : [fold(points)];
}

function foldSteps(points: readonly Point[], recent: number): Point[] {
  const old = points.slice(0, -recent);
  return [...runs(old, isOnTheWay).map((run) => fold(run)), ...points.slice(-recent)];
}

/** The first point, which says what the dialog is about, then the old points folded into groups of equal size, then the recent points. */
function foldOld(points: readonly Point[], recent: number): Point[] {
  const old = points.slice(1, -recent);
  const each = Math.max(1, Math.ceil(old.length / recent));
  const pieces = Array.from({ length: Math.ceil(old.length / each) }, (_, at) => fold(old.slice(at * each, (at + 1) * each)));
  return [...points.slice(0, 1), ...pieces, ...points.slice(Math.max(1, points.length - recent))];
}

function fold(points: readonly Point[]): Point {
  const [only] = points;
  if (only && points.length === 1) return only;
  const counts = sum(points);
  return { lines: span(points), text: `Folded: ${countsText(counts)}`, counts };
}

/** Groups adjacent points that satisfy `together`. Every other point stays alone. */
function runs(points: readonly Point[], together: (point: Point) => boolean): Point[][] {
  const out: Point[][] = [];
  let open: Point[] | null = null;
  for (const point of points) {
    if (!together(point)) {
      out.push([point]);
      open = null;
    } else if (open) open.push(point);
    else out.push((open = [point]));
  }
  return out;
}

function isCommand({ counts }: Point): boolean {
  return onlyOf(counts, ["command"]);
}

function isOnTheWay({ counts }: Point): boolean {
  return onlyOf(counts, ["command", "step", "failure"]);
}

function onlyOf(counts: Counts, kinds: readonly string[]): boolean {
  return Object.keys(counts).every((kind) => kinds.includes(kind));
}

function span(points: readonly Point[]): Lines {
  const [first] = points;
  if (!first) throw new RangeError("no points to span");
  return { from: first.lines.from, to: points.reduce((to, { lines }) => Math.max(to, lines.to), first.lines.to) };
}

const nouns: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  message: ["message from the user", "messages from the user"],
  answer: ["answer", "answers"],
  step: ["remark between calls", "remarks between calls"],
  command: ["successful call", "successful calls"],
  failure: ["failed call", "failed calls"],
  file: ["changed file", "changed files"],
  agent: ["launched agent", "launched agents"],
  denial: ["denied call", "denied calls"],
  open: ["call that was not run", "calls that were not run"],
  question: ["question", "questions"],
  stop: ["response cut short", "responses cut short"],
};
const kinds: readonly Kind[] = ["message", "answer", "step", "command", "failure", "file", "agent", "denial", "open", "question", "stop"];

function sum(points: readonly Point[]): Counts {
  const total: Partial<Record<Kind, number>> = {};
  for (const { counts } of points) for (const kind of kinds) if (counts[kind]) total[kind] = (total[kind] ?? 0) + counts[kind];
  return total;
}

function countsText(counts: Counts): string {
  return kinds
    .flatMap((kind) => {
      const count = counts[kind];
      return count === undefined ? [] : [`${count} ${nouns[kind][count === 1 ? 0 : 1]}`];
    })
    .join(", ");
}
