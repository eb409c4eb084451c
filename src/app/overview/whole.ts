import type { AsksAnswer, CallView } from "../../protocol/index.ts";
import { change, fields, headed, payload } from "../calls/describe.ts";
import { compare } from "../calls/diff.ts";

/** The most that one row shows: calls, rows of text on a narrow screen (with `columns` characters each), and UTF-16 units. */
const most = { calls: 4, rows: 16, units: 1_600, columns: 40 } as const;
/** Two texts are compared for a row up to this many UTF-16 units. */
const comparable = 8_192;

/**
 * Whether a row of the overview shows everything that its requests would do, so that it may offer to approve them. If something is cut off or too
 * long for a row, the dialog has to be opened.
 */
export function isWhole({ calls, cut }: Pick<AsksAnswer, "calls" | "cut">): boolean {
  if (calls.length === 0 || calls.length > most.calls || cut) return false;
  let [rows, units] = [0, 0];
  for (const call of calls) {
    const size = sizeOf(call);
    if (size === null) return false;
    rows += size.rows;
    units += size.units;
  }
  return rows <= most.rows && units <= most.units;
}

interface Size {
  readonly rows: number;
  readonly units: number;
}

/** The room that the call needs; null: more than a row has. */
function sizeOf(call: CallView): Size | null {
  const texts = [headed(call)?.value ?? "", ...fields(call).map(({ value }) => value)];
  const changed = change(call);
  if (changed === null) {
    const file = payload(call);
    if (file !== null) texts.push(file.content);
    return sum(texts);
  }
  if (changed.before.length + changed.after.length > comparable) return null;
  return sum([...texts, ...compare(changed.before, changed.after, changed.line).near.map(({ text }) => text)]);
}

function sum(texts: readonly string[]): Size {
  let [rows, units] = [0, 0];
  for (const text of texts) {
    units += text.length;
    if (units > most.units) break;
    for (const line of text.split("\n")) rows += Math.max(1, Math.ceil(line.length / most.columns));
  }
  return { rows, units };
}
