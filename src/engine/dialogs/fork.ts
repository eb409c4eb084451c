import { isHumans, roomOf } from "../../dialog/replies.ts";
import { isOwnFormat } from "../../dialog/agent.ts";
import { inheritedAgent } from "../agents/inherited-agent.ts";
import type { Files } from "../../fs/files.ts";
import { nameOf } from "../../fs/vibey-name.ts";
import { isCostLine } from "../cost/lines.ts";
import { sectionTime, setCall } from "../../dialog/edit.ts";
import type { Dialog, Meta, Section } from "../../dialog/model.ts";
import { parseDialogFilename, slugify } from "../../dialog/name.ts";
import { sectionAt, sectionCount, standingBefore } from "../../dialog/sections.ts";
import { imported, upgrade } from "../../dialog/upgrade.ts";
import { draft } from "../turn/machine/draft.ts";
import { found } from "../turn/machine/recover.ts";
import type { MachineOptions } from "../turn/machine/model.ts";
import { callsOf, isLost, isUndecided, lastCalls } from "../turn/machine/queries.ts";
import { currentModel, currentProvider } from "../turn/machine/next-step.ts";
import type { NewDialog } from "./new-dialog.ts";
import type { Live } from "./live.ts";
import { listDialogs } from "./open.ts";
import type { Fork, ForkPoint } from "./fork-point.ts";

export interface ForkWanted {
  readonly message: number;
  /** Said in the place of message `message`; null: the fork is made after it, and waits. */
  readonly prompt: string | null;
  readonly provider: string | null;
  readonly model: string | null;
}

/** Why there can be no such fork. */
export type ForkRefusal =
  /** There is no message with that number. */
  | { readonly kind: "no-message"; readonly message: number; readonly messages: number }
  /** Only what the user said can be said again. */
  | { readonly kind: "not-said"; readonly message: number }
  /** There is nothing in it that could be discussed. */
  | { readonly kind: "no-text"; readonly message: number }
  /** What would be taken along is still being written, or a command of it runs. */
  | { readonly kind: "active" };

/** null: there can be such a fork. */
export function refusedFork(dialog: Dialog, point: ForkPoint): ForkRefusal | null {
  const { message, edited } = point;
  const messages = sectionCount(dialog);
  const named = sectionAt(dialog, message - 1);
  if (named === undefined) return { kind: "no-message", message, messages };
  if (edited && !isHumans(named)) return { kind: "not-said", message };
  const isBusy = (section: Section) => sectionTime(section).open || callsOf(section).some(isLost);
  return copiedSections(dialog, point).some(isBusy) ? { kind: "active" } : null;
}

/** The provider and model that a fork's header names: those of the old one's, or what it has now where that names none. */
export function headerModel({ dialog }: Fork): { readonly provider: string; readonly model: string } {
  const { provider, model } = standingBefore(dialog, 0);
  return { provider: provider ?? currentProvider(dialog), model: model ?? currentModel(dialog) };
}

/** The lines of a fork's header that say where it comes from. */
export function forkLines({ dialog, dialogId, message, edited }: Fork): Meta[] {
  const line = (wanted: string) => dialog.head.findLast(({ key }) => key === wanted);
  const goesOn = line("Continued from");
  const by = (line("Launched by") ?? line("Prompt by"))?.value;
  return [
    // The first message is still the summary of that dialog.
    ...(goesOn ? [goesOn] : []),
    // Or the words of an agent.
    ...(by === undefined || (edited && message === 1) ? [] : [{ key: "Prompt by", value: by }]),
    { key: "Forked from", value: `${dialogId} | Message: ${message}${edited ? " | Edited" : ""}` },
  ];
}

/**
 * The new dialog, whose header is `start`'s, with the messages of the old one up to the fork. The old one is not changed.
 *
 * - No word of the user's in the old dialog counts here: what it allowed is shown as an import's lines are, and decides nothing until
 *   it is accepted.
 * - What the messages cost was paid for in the old dialog.
 * - No call runs by itself: one that was approved and never started is undecided again, one that was started and has no result is
 *   answered as after a crash. Where the user says something again, undecided calls before it are denied, as by anyone who writes on.
 */
export function forkedDialog(start: Dialog, fork: Fork, time: string, options: MachineOptions): Dialog {
  const { format } = fork.dialog;
  if (!isOwnFormat(format) && format !== null) throw new RangeError(`A dialog of format ${format} can't be forked`);
  const sections = copiedSections(fork.dialog, fork);
  const copied = imported(upgrade({ format, head: [], parts: fork.dialog.parts, sections: sections.map(withoutCost) }));
  const last = copied.sections.at(-1);
  const status = last && sectionTime(last).open ? "active" : "waiting";
  const left = found({ dialog: { ...copied, head: start.head }, status, turn: null }, { type: "found", time }, options);
  if (!left.ok) throw new Error(`a fork was refused: ${left.refusal.kind}`);
  if (!fork.edited) return left.state.dialog;
  const file = draft(left.state.dialog);
  for (const call of lastCalls(file.dialog).filter(isUndecided)) file.edit((dialog) => setCall(dialog, call.id, { decision: "denied" }));
  return file.dialog;
}

/**
 * The dialog that takes along what this one says up to the fork, which nothing is done to. `prompt`: what the user says in it at once;
 * it goes to the provider and model that this one has now, unless others are named. The caller holds the dialog's order.
 */
export async function forkOf(
  { id, path, state: { dialog } }: Pick<Live, "id" | "path" | "state">,
  wanted: ForkWanted,
  files: Files,
): Promise<{ readonly ok: true; readonly value: NewDialog } | { readonly ok: false; readonly refusal: ForkRefusal }> {
  const point = { message: wanted.message, edited: wanted.prompt !== null };
  const refusal = refusedFork(dialog, point);
  if (refusal) return { ok: false, refusal };
  const taken = new Set((await listDialogs(files)).map(({ filename }) => parseDialogFilename(filename)?.slug ?? ""));
  const slug = parseDialogFilename(nameOf(path) ?? "")?.slug ?? "";
  const room = roomOf(dialog.head);
  const value = {
    provider: wanted.provider ?? currentProvider(dialog),
    model: wanted.model ?? currentModel(dialog),
    slug: forkSlug(slug, taken),
    prompt: wanted.prompt,
    mentions: null,
    launchedBy: null,
    ...inheritedAgent(dialog),
    ...(room === null ? {} : { room }),
    fork: { ...point, dialogId: id, dialog },
  };
  return { ok: true, value };
}

/** `game` is forked as `game-fork`, then `game-fork-2`; so is a fork of it. `taken`: slugs that there are. */
export function forkSlug(slug: string, taken: ReadonlySet<string>): string {
  const [, base = slug] = /^(.*?)-fork(?:-\d{1,4})?$/.exec(slug) ?? [];
  for (let nth = 1; ; nth++) {
    const ending = nth === 1 ? "-fork" : `-fork-${nth}`;
    const next = slugify(base.slice(0, 40 - ending.length) + ending);
    if (!taken.has(next)) return next;
  }
}

function withoutCost(section: Section): Section {
  const parts = section.parts.flatMap((part): Section["parts"][number][] => {
    if (part.kind !== "meta") return [part];
    const lines = part.lines.filter((line) => !isCostLine(line));
    return lines.length === 0 ? [] : [{ kind: "meta", lines }];
  });
  return { ...section, parts };
}

function copiedSections(dialog: Dialog, { message, edited }: ForkPoint): Section[] {
  const count = edited ? message - 1 : message;
  return Array.from({ length: Math.min(count, sectionCount(dialog)) }, (_, index) => sectionAt(dialog, index)).filter(
    (section) => section !== undefined,
  );
}
