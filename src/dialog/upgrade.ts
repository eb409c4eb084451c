import { dialogCalls, QUEUED } from "./edit.ts";
import { ALLOWED, allowedCalls } from "./grants.ts";
import { importedLines } from "./imported-messages.ts";
import type { Call, Dialog, Meta, Part } from "./model.ts";

/**
 * Converts an earlier Vibey's dialog to Format 1, so that text can be appended. Text in such a file could be read as structure, so no line in it is
 * trusted as the user's: lines that only a human may write are removed, lines that deliver answers or start agents are disabled as in an import, and
 * calls that are approved but not started become undecided. Other dialogs are returned unchanged.
 */
export function upgrade(dialog: Dialog): Dialog {
  if (dialog.format !== null) return dialog;
  const { head, ...rest } = mapDialog(dialog, (lines) => renamed(withoutAuthority(lines), links), undecided);
  return { ...rest, head: [...importedLines(dialog.sections.length), ...head], format: 1 };
}

/**
 * A dialog that came with an import. Its authority lines, hosts and limits have no effect until the user accepts them. Calls that are approved but
 * not started become undecided, and the lines that say what allowed them are removed. `as they are`: the user has accepted the lines. In both cases
 * it delivers no answers and starts no agents.
 */
export function imported(dialog: Dialog, lines: "inactive" | "as they are" = "inactive"): Dialog {
  const approved = new Set(dialogCalls(dialog).flatMap((call) => (undecided(call).decision === "approved" ? [call.id] : [])));
  const isSaid = (line: Meta): boolean => line.key !== ALLOWED || [...allowedCalls([line]).keys()].every((id) => approved.has(id));
  const names = lines === "inactive" ? new Map([...links, ...inactive]) : links;
  return mapDialog(dialog, (own) => renamed(own.filter(isSaid), names), undecided);
}

/** The lines that an import disables, as they are in the file. */
export function inactiveLines(dialog: Dialog): string[] {
  return linesOf(dialog).flatMap(({ key, value }) => (inactive.has(key) ? [`> ${key}: ${value}`] : []));
}

/** Whether a line delivers answers from one dialog to another, starts agents, or makes the dialog part of a run or a schedule. */
export const hasLinks = (dialog: Dialog): boolean => linesOf(dialog).some(({ key }) => links.has(key));

function linesOf({ head, parts, sections }: Dialog): Meta[] {
  return [head, ...metaLinesOf(parts), ...sections.flatMap((section) => [section.head, ...metaLinesOf(section.parts)])].flat();
}

function metaLinesOf(parts: readonly Part[]): (readonly Meta[])[] {
  return parts.flatMap((part) => (part.kind === "meta" ? [part.lines] : []));
}

/**
 * Lines that deliver answers from one dialog to another or start the agents that answer next, with their keys in an import and a fork. `From`, the
 * author of an answer, stays.
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
  // A record from elsewhere does not belong to an agent key of this browser.
  ["Key", "Key imported"],
]);

/** The key of a line in an import. */
const inactive: ReadonlyMap<string, string> = new Map([
  ["Authorized", "Authorized imported"],
  ["Authorized outside", "Outside imported"],
  ["Revoked", "Revoked imported"],
  ["Network", "Network imported"],
  ["Network refused", "Refused imported"],
  ["Limit", "Limit imported"],
]);

/** Lines that only a human may write, the line that makes an agent start by itself, and the line that says what allowed a call. */
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
