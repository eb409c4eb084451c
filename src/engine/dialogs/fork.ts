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
  /** Replaces message `message`. Null means that the fork is made after the message and waits for the user. */
  readonly prompt: string | null;
  readonly provider: string | null;
  readonly model: string | null;
}

/** Why the fork is not possible. */
export type ForkRefusal =
  /** There is no message with that number. */
  | { readonly kind: "no-message"; readonly message: number; readonly messages: number }
  /** Only a message of the user can be rewritten. */
  | { readonly kind: "not-said"; readonly message: number }
  /** The message has no text that could be discussed. */
  | { readonly kind: "no-text"; readonly message: number }
  /** A message to copy is still being written, or one of its commands is running. */
  | { readonly kind: "active" };

/** Why the fork is not possible. Null if it is. */
export function refusedFork(dialog: Dialog, point: ForkPoint): ForkRefusal | null {
  const { message, edited } = point;
  const messages = sectionCount(dialog);
  const named = sectionAt(dialog, message - 1);
  if (named === undefined) return { kind: "no-message", message, messages };
  if (edited && !isHumans(named)) return { kind: "not-said", message };
  const isBusy = (section: Section) => sectionTime(section).open || callsOf(section).some(isLost);
  return copiedSections(dialog, point).some(isBusy) ? { kind: "active" } : null;
}

/** The provider and model in a fork's header: those in the old dialog's header, or its current ones if the header names none. */
export function headerModel({ dialog }: Fork): { readonly provider: string; readonly model: string } {
  const { provider, model } = standingBefore(dialog, 0);
  return { provider: provider ?? currentProvider(dialog), model: model ?? currentModel(dialog) };
}

/** The header lines that say where a fork comes from. */
export function forkLines({ dialog, dialogId, message, edited }: Fork): Meta[] {
  const line = (wanted: string) => dialog.head.findLast(({ key }) => key === wanted);
  const goesOn = line("Continued from");
  const by = (line("Launched by") ?? line("Prompt by"))?.value;
  return [
    // The first message is still the summary of that dialog.
    ...(goesOn ? [goesOn] : []),
    // Or the message of an agent.
    ...(by === undefined || (edited && message === 1) ? [] : [{ key: "Prompt by", value: by }]),
    { key: "Forked from", value: `${dialogId} | Message: ${message}${edited ? " | Edited" : ""}` },
  ];
}

/**
 * The new dialog, with the header of `start` and the old dialog's messages up to the fork. The old dialog doesn't change.
 *
 * - The user's permissions in the old dialog don't count here. They are shown like the lines of an import, and have no effect until the user
 *   accepts them.
 * - The cost of the messages was paid in the old dialog.
 * - No call runs by itself. An approved call that never started is undecided again, and a call that started without a result is answered as after
 *   a crash. If the user rewrites a message, undecided calls before it are denied, as whenever the user writes on.
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
 * The dialog that copies this one up to the fork. This one doesn't change. `prompt` is the user's first message in the new dialog. It goes to the
 * current provider and model unless others are named. The caller runs in the dialog's order (`inOrder`).
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

/** A fork of `game`, or of a fork of it, is named `game-fork`, then `game-fork-2`. `taken`: the existing slugs. */
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
