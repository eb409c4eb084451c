import type { Dialog } from "../../dialog/model.ts";
import { isRecord } from "../../dialog/outside.ts";
import { fromLine, repliesTo } from "../../dialog/replies.ts";
import { recoverDialog } from "../../dialog/recover.ts";
import { runOf } from "../../dialog/run.ts";
import type { Files, FileStat } from "../../fs/files.ts";
import { nameOf } from "../../fs/vibey-name.ts";
import { parseDialogFilename } from "../../dialog/name.ts";
import { limits } from "../../protocol/limits.ts";
import { sideForkOf } from "../dialogs/fork-point.ts";
import { fileBatches } from "../file-batches.ts";
import { readUndamaged } from "../read-each.ts";
import { launchedBy } from "../scheduler/launched-by.ts";
import { isAsked, lastCalls } from "../turn/machine/queries.ts";
import { repliesOf, summaryIn } from "./pending-replies.ts";
import { signalsOf } from "./signals.ts";

/** Something that may still have to be delivered from one dialog to another. */
interface PendingDelivery {
  /** The dialog to open. Opening it delivers its pending replies, summaries and signals, or withdraws its outdated requests. */
  readonly open: string;
  /** The lines in `open` that prove the delivery. Null if only opening the dialog can tell. */
  readonly lines: readonly string[] | null;
}

/**
 * The dialogs to open when the engine starts, so that answers, summaries and signals arrive that the last engine could not deliver. An engine
 * delivers them as soon as a turn ends, so only recently written dialogs can have pending deliveries, and no others are checked.
 */
export async function dialogsToOpen(files: Pick<Files, "list" | "readMany">): Promise<readonly string[]> {
  const all = (await files.list("vibey/dialog-")).flatMap((stat) => {
    const name = parseDialogFilename(nameOf(stat.path) ?? "");
    return name ? [{ ...name, stat }] : [];
  });
  const newest = all
    .filter(({ status, stat }) => status !== "active" && stat.size <= limits.factsBytes)
    .toSorted((one, other) => other.stat.mtime - one.stat.mtime)
    .slice(0, limits.factsDialogs);
  const pending: PendingDelivery[] = [];
  for await (const [{ dialogId, status }, text] of textsOf(newest, files))
    pending.push(...pendingDeliveriesOf(dialogId, recoverDialog(text).dialog, status));
  const open = new Set(pending.flatMap((one) => (one.lines === null ? [one.open] : [])));
  const targets = new Set(pending.map((one) => one.open));
  const others = all.filter(({ dialogId }) => targets.has(dialogId) && !open.has(dialogId));
  for await (const [{ dialogId }, text] of textsOf(others, files)) {
    const lines = pending.flatMap((one) => (one.open === dialogId ? (one.lines ?? []) : []));
    if (lines.some((line) => !text.includes(line))) open.add(dialogId);
  }
  return [...open];
}

async function* textsOf<F extends { readonly stat: FileStat }>(
  wanted: readonly F[],
  files: Pick<Files, "readMany">,
): AsyncGenerator<readonly [F, string]> {
  for (const batch of fileBatches(wanted, ({ stat }) => stat)) {
    const contents = await readUndamaged(
      files,
      batch.map(({ stat }) => stat.path),
    );
    for (const [at, file] of batch.entries()) {
      const content = contents[at];
      if (content) yield [file, new TextDecoder().decode(content.bytes)];
    }
  }
}

function pendingDeliveriesOf(dialogId: string, dialog: Dialog, status: string): PendingDelivery[] {
  // Opening a record withdraws what an agent outside asked through the last engine.
  if (isRecord(dialog)) return status === "waiting" && lastCalls(dialog).some(isAsked) ? [{ open: dialogId, lines: null }] : [];
  if (dialog.format !== 2) return [];
  const pending: PendingDelivery[] = [];
  const to = repliesTo(dialog.head);
  if (to) {
    const answers = repliesOf(dialog, { agent: "agent", dialogId });
    if (answers.length > 0)
      pending.push({ open: to.dialogId, lines: answers.map(({ from: { section } }) => `\n> From: agent ${dialogId} ${section} | `) });
  }
  if (status !== "done" && sideForkOf(dialog.head) !== null && summaryIn(dialog) !== null) pending.push({ open: dialogId, lines: null });
  const parent = runOf(dialog.head) === null ? null : launchedBy(dialog.head);
  if (parent !== null) {
    const signals = signalsOf(dialogId, dialog);
    if (signals.length > 0)
      pending.push({ open: parent, lines: signals.map(({ from }) => `\n> ${fromLine(from).key}: ${fromLine(from).value}\n`) });
  }
  return pending;
}
