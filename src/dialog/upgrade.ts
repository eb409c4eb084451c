import { dialogCalls, QUEUED } from "./edit.ts";
import { ALLOWED, allowedCalls } from "./grants.ts";
import { importedLines } from "./imported-messages.ts";
import type { Call, Dialog, Meta, Part } from "./model.ts";

/**
 * An earlier Vibey's dialog as one of Format 1, which an append can follow. Its texts could read as structure there, so nothing in it is
 * anyone's word: the lines that a human alone may write go, those that bring answers or start agents are as in an import, and a call that is approved
 * but was never started is undecided again. Others stay as they are.
 */
export function upgrade(dialog: Dialog): Dialog {
  if (dialog.format !== null) return dialog;
  const { head, ...rest } = mapDialog(dialog, (lines) => renamed(withoutAuthority(lines), links), undecided);
  return { ...rest, head: [...importedLines(dialog.sections.length), ...head], format: 1 };
}

/**
 * A dialog that came with an import: what it authorizes, the hosts that it names and the limits that it sets decide nothing until the user
 * accepts them, and a call that is approved but was never started is undecided again: what is said to have let it through goes. `as they are`: the
 * human has accepted the lines. It brings no answer anywhere and starts no agent in either case.
 */
export function imported(dialog: Dialog, lines: "inactive" | "as they are" = "inactive"): Dialog {
  const approved = new Set(dialogCalls(dialog).flatMap((call) => (undecided(call).decision === "approved" ? [call.id] : [])));
  const isSaid = (line: Meta): boolean => line.key !== ALLOWED || [...allowedCalls([line]).keys()].every((id) => approved.has(id));
  const names = lines === "inactive" ? new Map([...links, ...inactive]) : links;
  return mapDialog(dialog, (own) => renamed(own.filter(isSaid), names), undecided);
}

/** The lines that an import makes inactive, as they stand in the file. */
export function inactiveLines(dialog: Dialog): string[] {
  return linesOf(dialog).flatMap(({ key, value }) => (inactive.has(key) ? [`> ${key}: ${value}`] : []));
}

/** Whether a line of it brings answers from one dialog into another, starts agents, or makes it one of a run or of a schedule. */
export const hasLinks = (dialog: Dialog): boolean => linesOf(dialog).some(({ key }) => links.has(key));

function linesOf({ head, parts, sections }: Dialog): Meta[] {
  return [head, ...metaLinesOf(parts), ...sections.flatMap((section) => [section.head, ...metaLinesOf(section.parts)])].flat();
}

function metaLinesOf(parts: readonly Part[]): (readonly Meta[])[] {
  return parts.flatMap((part) => (part.kind === "meta" ? [part.lines] : []));
}

/**
 * Lines that bring answers from one dialog into another, and start the agents that answer next; what they are called in an import and in a fork. Who
 * answered stays to be read (`From`).
 */
const links: ReadonlyMap<string, string> = new Map([
  ["Mentions", "Mentions imported"],
  ["Schedule", "Schedule imported"],
  ["Then", "Then imported"],
  ["Replies to", "Reply imported"],
  ["Resolves", "Resolves imported"],
  ["Run", "Run imported"],
  ["Side", "Side imported"],
  ["Turns", "Turns imported"],
  // A record that came from elsewhere is no agent's of this browser.
  ["Key", "Key imported"],
]);

/** What a line is called in an import. */
const inactive: ReadonlyMap<string, string> = new Map([
  ["Authorized", "Authorized imported"],
  ["Authorized outside", "Outside imported"],
  ["Revoked", "Revoked imported"],
  ["Network", "Network imported"],
  ["Network refused", "Refused imported"],
  ["Limit", "Limit imported"],
]);

/** Lines that a human alone may write, the one by which an agent begins by itself, and the one that says what let a call through. */
function isAuthority({ key }: Meta): boolean {
  return inactive.has(key) || key === QUEUED || key === ALLOWED;
}

function withoutAuthority(lines: readonly Meta[]): Meta[] {
  return lines.filter((line) => !isAuthority(line));
}

function renamed(lines: readonly Meta[], names: ReadonlyMap<string, string>): Meta[] {
  return lines.map((line) => ({ key: names.get(line.key) ?? line.key, value: line.value }));
}

function undecided(call: Call): Call {
  if (call.decision !== "approved" || call.started !== null || call.result !== undefined) return call;
  const { changed: _, ...rest } = call;
  return { ...rest, decision: null };
}

function mapDialog(dialog: Dialog, lines: (lines: readonly Meta[]) => Meta[], call: (call: Call) => Call): Dialog {
  return {
    format: dialog.format,
    head: lines(dialog.head),
    parts: mapParts(dialog.parts, lines, call),
    sections: dialog.sections.map((section) => ({
      role: section.role,
      head: lines(section.head),
      parts: mapParts(section.parts, lines, call),
    })),
  };
}

function mapParts(parts: readonly Part[], lines: (lines: readonly Meta[]) => Meta[], call: (call: Call) => Call): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (part.kind === "call") out.push({ kind: "call", call: call(part.call) });
    else if (part.kind === "meta") {
      const kept = lines(part.lines);
      if (kept.length > 0) out.push({ kind: "meta", lines: kept });
    } else if (last?.kind === "text") out[out.length - 1] = { kind: "text", text: `${last.text}\n\n${part.text}` };
    else out.push(part);
  }
  return out;
}
