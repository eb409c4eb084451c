import { isCallId, toolName } from "./ids.ts";
import type { Meta, Part, Section } from "./model.ts";

/**
 * A call that the model began but did not finish, as a metadata line in its place: `> Incomplete call: write_file [toolu_1]`. While the section is
 * being written, the call is still arriving, and its block replaces the line when it is complete. In a section that has ended, the rest never
 * arrived. The line grants nothing. An earlier Vibey shows it like any unknown key.
 */
export interface IncompleteCall {
  readonly name: string;
  readonly id: string;
}

const INCOMPLETE_CALL = "Incomplete call";

const VALUE = /^([A-Za-z0-9_-]{1,64}) \[([A-Za-z0-9_-]{1,128})\]$/;

/** Parses the value of such a line. Null if it is invalid. */
function readIncompleteCall(value: string): IncompleteCall | null {
  const [, name, id] = VALUE.exec(value) ?? [];
  return name === undefined || id === undefined ? null : { name, id };
}

/** The line is its own part, so that it can be found again and the texts around it stay separate. */
export function incompletePart({ name, id }: IncompleteCall): Part & { readonly kind: "meta" } {
  if (!isCallId(id)) throw new RangeError(`${id} is no id of a call`);
  return { kind: "meta", lines: [{ key: INCOMPLETE_CALL, value: `${toolName(name)} [${id}]` }] };
}

/** The incomplete call that a part represents. Null for any other part. */
export function incompleteOf(part: Part): IncompleteCall | null {
  if (part.kind !== "meta" || part.lines.length !== 1) return null;
  const line: Meta | undefined = part.lines[0];
  return line?.key === INCOMPLETE_CALL ? readIncompleteCall(line.value) : null;
}

/** The incomplete calls of a section, in order. */
export function incompleteCalls(section: Section): IncompleteCall[] {
  return section.parts.flatMap((part) => incompleteOf(part) ?? []);
}
