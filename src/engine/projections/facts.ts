import { agentOf } from "../../dialog/agent.ts";
import type { FileContent, Files } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import { StorageError } from "../../fs/storage-error.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import type { AskedCalls, DialogFacts, SideFacts } from "../../protocol/index.ts";
import { toolSubjects } from "../../protocol/tool-subjects.ts";
import type { Call } from "../../dialog/model.ts";
import { repliesTo, roomOf } from "../../dialog/replies.ts";
import { repliesInTurns, summaryIn } from "../agents/pending-replies.ts";
import { sideForkOf } from "../dialogs/fork-point.ts";
import { recoverDialog } from "../../dialog/recover.ts";
import { costSoFar } from "../cost/lines.ts";
import { limits } from "../../protocol/limits.ts";
import { lastRead } from "../turn/machine/last-read.ts";
import type { State } from "../turn/machine/model.ts";
import { isAsked, lastCalls } from "../turn/machine/queries.ts";
import { parseUsage } from "../turn/machine/usage.ts";
import type { DialogFile } from "../dialogs/open.ts";
import { waitingFor } from "./waiting-for.ts";

/** The facts of a dialog that was not read yet. */
export const unknownFacts: DialogFacts = {
  waitingFor: null,
  wants: null,
  asks: null,
  asksAgain: null,
  tokens: null,
  cost: null,
  launchedBy: null,
  side: null,
};

/** The facts about a dialog for a list. Reads only the dialog's end and header, however long it is. */
export function factsOf(state: Pick<State, "status" | "dialog">): DialogFacts {
  const { dialog, status } = state;
  const undecided = status === "waiting" ? lastCalls(dialog).filter(isAsked) : [];
  const launcher = dialog.head.findLast(({ key }) => key === "Launched by")?.value ?? null;
  const mention = launcher === null ? repliesTo(dialog.head) : null;
  const tools = new Set(undecided.map(({ name }) => name));
  return {
    waitingFor: waitingFor(state),
    wants: tools.size === 1 ? ([...tools][0] ?? null) : null,
    asks: askedCalls(undecided),
    asksAgain: undecided.length === 0 ? null : (agentOf(dialog)?.asksAgain ?? null),
    tokens: lastRead(dialog, "Usage cumulative", parseUsage, limits.factsSections)?.total ?? null,
    cost: costSoFar(dialog),
    launchedBy: launcher ?? mention?.dialogId ?? null,
    ...(mention === null ? {} : { answers: true }),
    side: sideFacts(state),
  };
}

/** Reads the whole side fork, which is short. */
function sideFacts({ dialog, status }: Pick<State, "status" | "dialog">): SideFacts | null {
  const from = sideForkOf(dialog.head);
  if (from === null) return null;
  const { dialogId, message } = from;
  const outcome = summaryIn(dialog) !== null ? "resolved" : status === "done" ? "discarded" : "open";
  return { dialogId, message, topic: roomOf(dialog.head) ?? "", outcome, replies: repliesInTurns(dialog) };
}

/** Calls in a list, and UTF-16 code units of each subject. */
const most = { calls: 3, units: 120 } as const;

function askedCalls(undecided: readonly Pick<Call, "name" | "input">[]): AskedCalls | null {
  if (undecided.length === 0) return null;
  const first = undecided.slice(0, most.calls).map(({ name, input }) => ({ tool: name, subject: subjectOf(name, input) }));
  return { count: undecided.length, first };
}

function subjectOf(tool: string, input: Call["input"]): string {
  const value = input[toolSubjects.get(tool) ?? ""];
  if (typeof value !== "string") return "";
  const line = value.trimStart().split("\n", 1)[0] ?? "";
  const cut = Array.from(line.slice(0, 2 * most.units))
    .slice(0, most.units)
    .join("");
  return cut.length < value.trim().length ? `${cut}…` : cut;
}

/** Reads the files of these dialogs. A dialog that can't be read, or is very long, stays unknown until it is opened. */
export async function lookInto(files: Files, unknown: readonly DialogFile[]): Promise<Map<string, DialogFacts>> {
  const found = new Map<string, DialogFacts>();
  const sizes = new Map((await files.list("vibey/dialog-")).map(({ path, size }) => [path, size]));
  for (const { dialogId, filename, status } of unknown) {
    const path = vibeyPath(filename);
    const content = status !== "active" && (sizes.get(path) ?? Infinity) <= limits.factsBytes ? await readIfWhole(files, path) : null;
    if (content) found.set(dialogId, factsOf({ status, dialog: recoverDialog(new TextDecoder().decode(content.bytes)).dialog }));
  }
  return found;
}

/** A damaged file doesn't affect the others. */
async function readIfWhole(files: Files, path: Path): Promise<FileContent | null> {
  try {
    return await files.read(path);
  } catch (error) {
    if (error instanceof StorageError) return null;
    throw error;
  }
}
