import type { Lines, LocatedDialog } from "../../../dialog/lines.ts";
import { locateDialog } from "../../../dialog/lines.ts";
import type { Section } from "../../../dialog/model.ts";
import { limits } from "../../../protocol/limits.ts";
import { foldPoints, groupCommands } from "./group-points.ts";
import { pointsOf } from "./points.ts";
import type { Point } from "./point.ts";
import { fenced, wholeEnd, wholeStart } from "./quote.ts";

export interface SummaryFacts {
  readonly dialogId: string;
  /** The file's current name. */
  readonly filename: string;
  /** The stored file. */
  readonly file: string;
  /** What the user asks of the new dialog. */
  readonly prompt: string;
}

/**
 * The first message of a dialog that continues another one. It depends only on the other dialog's file, so the same file gives the same text.
 *
 * - Every point links to its lines in the file. No model is asked, and no conclusions are drawn.
 * - For any dialog it has at most `limits.summaryPoints` points and, without the prompt, `limits.summaryBytes` bytes.
 * - Text from the old dialog is in quotation marks, code spans or a fence, so that it can't act as Markdown.
 */
export function summaryText({ dialogId, filename, file, prompt }: SummaryFacts): string {
  const located = locateDialog(file);
  const path = `vibey/${filename}`;
  const last = lastWords(located);
  const start = introduction(path, dialogId, located.total);
  const end = last ? `The agent's last message ${link(last.lines, path)}:\n\n${fenced(shortened(last.text, last.lines))}` : "";
  const line = (point: Point): string => `- ${point.text} ${link(point.lines, path)}`;
  const room = { points: limits.summaryPoints, bytes: limits.summaryBytes - bytes(start) - bytes(end) - margin };
  const points = foldPoints(groupCommands(pointsOf(located, last?.lines)), room, (point) => bytes(line(point)) + 1);
  const list = points.length === 0 ? "Nothing else was said." : points.map(line).join("\n");
  return [start, list, end, "The user's new message:", prompt].filter((part) => part !== "").join("\n\n");
}

/** Bytes for the separators between the parts. */
const margin = 200;

function introduction(path: string, dialogId: string, total: number): string {
  const some = `sed -n '1,${Math.max(1, Math.min(40, total))}p' ${path}`;
  return (
    `This dialog continues ${path} (${total} lines), which stays as it is. Vibey made this summary from that file without using a model; ` +
    "text in quotation marks is quoted from it, shortened where you see …. Each point gives its line numbers there: read more with, for " +
    `example, \`${some}\`. The file name ends in the dialog's status and changes with it: \`ls vibey/dialog-${dialogId}-*\` finds it.`
  );
}

function link({ from, to }: Lines, path: string): string {
  return from === to ? `[line ${from}](${path}#L${from})` : `[lines ${from}–${to}](${path}#L${from}-L${to})`;
}

/** The last text that an assistant wrote. */
function lastWords({ dialog, sections }: LocatedDialog): { readonly text: string; readonly lines: Lines } | null {
  for (let at = dialog.sections.length - 1; at >= 0; at--) {
    const found = lastText(dialog.sections[at]);
    const lines = found && sections[at]?.parts[found.nth];
    if (found && lines) return { text: found.text, lines };
  }
  return null;
}

function lastText(section: Section | undefined): { readonly text: string; readonly nth: number } | null {
  if (section?.role !== "assistant") return null;
  const nth = section.parts.findLastIndex(({ kind }) => kind === "text");
  const part = section.parts[nth];
  return part?.kind === "text" ? { text: part.text, nth } : null;
}

/** The text, without its middle if it is too long. */
function shortened(text: string, { from, to }: Lines): string {
  const longest = limits.summaryLastText;
  if (text.length <= longest) return text;
  const start = wholeEnd(text.slice(0, longest / 2));
  const end = wholeStart(text.slice(-longest / 2));
  return `${start}\n[… ${text.length - start.length - end.length} characters are left out here; lines ${from}–${to} of the file hold the whole.]\n${end}`;
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
