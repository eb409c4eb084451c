import type { Lines, LocatedDialog } from "../../../dialog/lines.ts";
import type { Meta, Part, Section } from "../../../dialog/model.ts";
import { firstSpeaker, fromOf, isHumans } from "../../../dialog/replies.ts";
import { callPoint } from "./call-point.ts";
import { changedFiles, changeOf, type FileChange } from "./changed-files.ts";
import { code, quoted } from "./quote.ts";
import { firstSentence, lastSentence } from "./sentences.ts";
import type { Point } from "./point.ts";

/** The maximum length of a quotation, in UTF-16 units. */
const longest = 160;

/**
 * What happened in a dialog, in file order. Nothing is reported twice: a changed file is one point, at its last change, and the part at `left` is
 * omitted.
 */
export function pointsOf({ dialog, sections }: LocatedDialog, left?: Lines): Point[] {
  const points: Point[] = [];
  const changes: FileChange[] = [];
  const goesOn = dialog.head.findLast(({ key }) => key === "Continued from")?.value;
  dialog.sections.forEach((section, at) => {
    const lines = sections[at];
    if (!lines) throw new RangeError(`section ${at} has no lines`);
    const from = fromOf(section);
    // What was said before in another dialog isn't part of this one.
    if (section.role === "user" && from?.kind !== "context") {
      const whole = spanOf(lines.parts);
      const text = textOf(section);
      if (whole && text !== "")
        points.push(
          from?.kind === "agent"
            ? { lines: whole, text: `The agent ${from.agent}: ${quoted(text, longest)}`, counts: { answer: 1 } }
            : {
                lines: whole,
                text:
                  at === 0 && firstSpeaker(dialog) === "agent"
                    ? `Another agent: ${quoted(text, longest)}`
                    : messageText(text, at === 0 ? goesOn : undefined),
                counts: { message: 1 },
              },
        );
    }
    const next = dialog.sections[at + 1];
    // Computed once per section, because it may have any number of parts.
    const context = {
      role: section.role,
      acts: section.parts.some(({ kind }) => kind === "call"),
      after: next && isHumans(next) ? textOf(next) : "",
    };
    section.parts.forEach((part, nth) => {
      const where = lines.parts[nth];
      if (!where) throw new RangeError(`part ${nth} of section ${at} has no lines`);
      const change = part.kind === "call" ? changeOf(part.call, where) : null;
      if (change) changes.push(change);
      else if (where !== left) for (const point of partPoints(part, where, context)) points.push(point);
    });
  });
  return [...points, ...changedFiles(changes)].toSorted((a, b) => a.lines.from - b.lines.from || a.lines.to - b.lines.to);
}

interface Context {
  readonly role: Section["role"];
  /** The section has calls. */
  readonly acts: boolean;
  /** The user's message right after the section. */
  readonly after: string;
}

function partPoints(part: Part, lines: Lines, { role, acts, after }: Context): Point[] {
  switch (part.kind) {
    case "text":
      return role === "user" ? [] : [answerPoint(part.text, lines, acts)];
    case "meta":
      return part.lines.flatMap((line) => metaPoint(line, lines));
    case "call":
      return [callPoint(part.call, lines, after)];
  }
}

function messageText(text: string, goesOn: string | undefined): string {
  if (goesOn === undefined) return `The user: ${quoted(text, longest)}`;
  return `It started from Vibey's summary of the dialog ${code(goesOn, 80)}, and these words: ${quoted(lastSentence(text), longest)}`;
}

/** Text next to calls is an intermediate step. Text without calls is an answer. */
function answerPoint(text: string, lines: Lines, step: boolean): Point {
  const first = quoted(firstSentence(text), longest);
  const last = quoted(lastSentence(text), longest);
  return { lines, text: `The agent: ${first === last ? first : `${first} … ${last}`}`, counts: step ? { step: 1 } : { answer: 1 } };
}

function metaPoint({ key, value }: Meta, lines: Lines): Point[] {
  if (key === "Waiting") return [{ lines, text: `The agent asked: ${quoted(value, longest)}`, counts: { question: 1 } }];
  if (key === "Stop") return [{ lines, text: `A response was cut short: ${quoted(value, longest)}`, counts: { stop: 1 } }];
  return [];
}

function textOf({ parts }: Section): string {
  return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
}

function spanOf(lines: readonly Lines[]): Lines | null {
  const [first] = lines;
  const last = lines.at(-1);
  return first && last ? { from: first.from, to: last.to } : null;
}
