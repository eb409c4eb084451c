import { ranWith } from "../../../dialog/call-json.ts";
import type { Lines } from "../../../dialog/lines.ts";
import type { Call } from "../../../dialog/model.ts";
import type { Point } from "./point.ts";
import { field, succeeded } from "./call-point.ts";
import { code } from "./quote.ts";

export interface FileChange {
  readonly path: string;
  readonly how: "written" | "edited";
  readonly lines: Lines;
}

/** The file that a call has changed. Null if it has changed none or isn't a file tool. */
export function changeOf(call: Call, lines: Lines): FileChange | null {
  const how = call.name === "write_file" ? "written" : call.name === "edit_file" ? "edited" : null;
  const path = field(ranWith(call), "path");
  return how !== null && path !== null && succeeded(call) ? { path: path.replace(/^(?:\.?\/)+/, ""), how, lines } : null;
}

/** One point per file, at its last change. */
export function changedFiles(changes: readonly FileChange[]): Point[] {
  const byPath = new Map<string, FileChange[]>();
  for (const change of changes) {
    const known = byPath.get(change.path);
    if (known) known.push(change);
    else byPath.set(change.path, [change]);
  }
  return [...byPath.values()].map((all) => {
    const [first] = all;
    const last = all.at(-1);
    if (!first || !last) throw new RangeError("a file without a change");
    const before = all.length === 1 ? "" : `; the first time at line ${first.lines.from}`;
    return { lines: last.lines, text: `${code(last.path, 120)} was ${timesOf(all)}${before}`, counts: { file: 1 } };
  });
}

function timesOf(changes: readonly FileChange[]): string {
  return (["written", "edited"] as const)
    .flatMap((how) => {
      const times = changes.filter((change) => change.how === how).length;
      return times === 0 ? [] : [times === 1 ? how : `${how} ${times} times`];
    })
    .join(" and ");
}
