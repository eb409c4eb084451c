import type { Author } from "../../../fs/history/commit-object.ts";
import type { Oid } from "../../../fs/history/object.ts";
import type { CommitRecord } from "../../../fs/history/store.ts";
import type { HistoryBy } from "../../../protocol/index.ts";

const human: Author = { name: "Human", address: "human@vibey.invalid" };
const vibey: Author = { name: "Vibey", address: "vibey@vibey.invalid" };
const agentAddress = "agent@vibey.invalid";
const dialogKey = "Dialog";
const undoesKey = "Undoes";
const restoresKey = "Restores";
const importedKey = "Imported";

/** The id of the dialog that a change was made by; null when it was none. */
export function dialogOf(by: string): string | null {
  return by.startsWith("dialog ") ? by.slice("dialog ".length) : null;
}

/** Who stands in the commit for what a change says it was made by. */
export function authorOf(by: string): Pick<CommitRecord, "author" | "trailers"> {
  const dialog = dialogOf(by);
  if (dialog !== null) return { author: { name: `Agent ${dialog}`, address: agentAddress }, trailers: [[dialogKey, dialog]] };
  return { author: by === "human" ? human : vibey, trailers: [] };
}

export function byOf({ author, trailers }: Pick<CommitRecord, "author" | "trailers">): HistoryBy {
  if (author.address === human.address) return { kind: "human", dialogId: null };
  if (author.address !== agentAddress) return { kind: "vibey", dialogId: null };
  return { kind: "dialog", dialogId: trailer({ trailers }, dialogKey) };
}

/** The same as a change says it. */
export function sayBy({ kind, dialogId }: HistoryBy): string {
  return kind === "dialog" ? `dialog ${dialogId ?? ""}` : kind;
}

type Trailers = CommitRecord["trailers"];

/** What the commit says that takes this one back, with all that it changed; or puts everything back as this one left it. */
export const undoing = (id: Oid): Trailers => [[undoesKey, id]];
export const restoring = (id: Oid): Trailers => [[restoresKey, id]];

/** What the commit of an import says. */
export const imported: Trailers = [[importedKey, "zip"]];
/** The commit came with a zip, or is what a zip brought. Who it says that it is by, a stranger may have written. */
export const cameWithZip = (record: Pick<CommitRecord, "trailers" | "unaccepted">): boolean =>
  record.unaccepted === true || trailer(record, importedKey) !== null;

/** The commit that this one took back; null: none. */
export const undoesOf = (record: Pick<CommitRecord, "trailers">): Oid | null => trailer(record, undoesKey);
/** The commit whose state this one brought back, of everything; null: none. */
export const restoresOf = (record: Pick<CommitRecord, "trailers">): Oid | null => trailer(record, restoresKey);

const trailer = ({ trailers }: Pick<CommitRecord, "trailers">, key: string): string | null =>
  trailers.find(([one]) => one === key)?.[1] ?? null;
