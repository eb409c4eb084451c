import type { FileContent, Files } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import { StorageError } from "../../fs/storage-error.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import type { DialogFacts } from "../api.ts";
import { recoverDialog } from "../format/recover.ts";
import { costSoFar } from "../cost/lines.ts";
import { limits } from "../limits.ts";
import { lastRead } from "../machine/last-read.ts";
import type { State } from "../machine/model.ts";
import { isUndecided, lastCalls } from "../machine/queries.ts";
import { parseUsage } from "../machine/usage.ts";
import type { DialogFile } from "./open.ts";
import { waitingFor } from "./waiting-for.ts";

/** Nothing is known of a dialog that nobody has looked into. */
export const unknownFacts: DialogFacts = { waitingFor: null, wants: null, tokens: null, cost: null, launchedBy: null };

/** What a list says of a dialog beside its name. Looks at its end and its header, however long it is. */
export function factsOf(state: Pick<State, "status" | "dialog">): DialogFacts {
  const { dialog, status } = state;
  const tools = new Set(
    status === "waiting"
      ? lastCalls(dialog)
          .filter(isUndecided)
          .map(({ name }) => name)
      : [],
  );
  return {
    waitingFor: waitingFor(state),
    wants: tools.size === 1 ? ([...tools][0] ?? null) : null,
    tokens: lastRead(dialog, "Usage cumulative", parseUsage, limits.factsSections)?.total ?? null,
    cost: costSoFar(dialog),
    launchedBy: dialog.head.findLast(({ key }) => key === "Launched by")?.value ?? null,
  };
}

/** Looks into the files of the newest of these dialogs. One that can't be read, or is very long, stays unknown until it is opened. */
export async function lookInto(files: Files, unknown: readonly DialogFile[]): Promise<Map<string, DialogFacts>> {
  const found = new Map<string, DialogFacts>();
  const sizes = new Map((await files.list("vibey/dialog-")).map(({ path, size }) => [path, size]));
  for (const { dialogId, filename, status } of unknown.slice(0, limits.factsDialogs)) {
    const path = vibeyPath(filename);
    const content = status !== "active" && (sizes.get(path) ?? Infinity) <= limits.factsBytes ? await readIfWhole(files, path) : null;
    if (content) found.set(dialogId, factsOf({ status, dialog: recoverDialog(new TextDecoder().decode(content.bytes)).dialog }));
  }
  return found;
}

/** One file that is damaged says nothing of the others. */
async function readIfWhole(files: Files, path: Path): Promise<FileContent | null> {
  try {
    return await files.read(path);
  } catch (error) {
    if (error instanceof StorageError) return null;
    throw error;
  }
}
