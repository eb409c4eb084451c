import type { Script } from "./script-nodes.ts";

/** just-bash takes this many values of a range and silently drops the rest. */
const mostOfRange = 10_000;
/** More parts are never needed: just-bash fails at 100,000 steps of an expansion, and says so. */
const mostParts = 20;

interface Range {
  readonly type: "Range";
  readonly start: number;
  readonly end: number;
  readonly step?: number;
}

const seen = new WeakSet<object>();

/** Splits each long range of the script, such as `{1..16000}`, into shorter ones: `{1..10000}` and the rest. */
export function splitRanges(script: Script): void {
  if (seen.has(script)) return;
  seen.add(script);
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if ("type" in node && node.type === "BraceExpansion" && "items" in node && Array.isArray(node.items)) {
      const written: readonly unknown[] = node.items;
      const items = written.flatMap((item): readonly unknown[] => (isRange(item) ? partsOf(item) : [item]));
      if (items.length > written.length) Object.assign(node, { items });
    }
    for (const child of Array.isArray(node) ? node : Object.values(node)) visit(child);
  };
  visit(script);
}

function partsOf(range: Range): readonly Range[] {
  const step = Math.abs(range.step ?? 1) || 1;
  const count = Math.floor(Math.abs(range.end - range.start) / step) + 1;
  if (count <= mostOfRange) return [range];
  const by = range.end < range.start ? -step : step;
  const parts: Range[] = [];
  for (let from = 0; from < count && parts.length < mostParts; from += mostOfRange) {
    const to = Math.min(from + mostOfRange, count) - 1;
    // The texts of both ends, which determine the width of the numbers, stay the same.
    parts.push({ ...range, start: range.start + from * by, end: range.start + to * by });
  }
  return parts;
}

function isRange(item: unknown): item is Range {
  return (
    typeof item === "object" &&
    item !== null &&
    "type" in item &&
    item.type === "Range" &&
    "start" in item &&
    typeof item.start === "number" &&
    "end" in item &&
    typeof item.end === "number"
  );
}
