import { type Actor, agent, human, vibey } from "../../../fs/actor.ts";
import type { Author } from "../../../fs/history/commit-object.ts";
import type { Oid } from "../../../fs/history/object.ts";
import type { CommitRecord } from "../../../fs/history/store.ts";

const humanAuthor: Author = { name: "Human", address: "human@vibey.invalid" };
const vibeyAuthor: Author = { name: "Vibey", address: "vibey@vibey.invalid" };
const agentAddress = "agent@vibey.invalid";
const dialogKey = "Dialog";
const agentKey = "Agent";
const frameworkKey = "Framework";
const undoesKey = "Undoes";
const restoresKey = "Restores";
const importedKey = "Imported";

/** The author of a commit with this actor's changes. */
export function authorOf(by: Actor): Pick<CommitRecord, "author" | "trailers"> {
  switch (by.kind) {
    case "human":
      return { author: humanAuthor, trailers: [] };
    case "agent":
      if (by.dialogId === "") return { author: { name: "Agent", address: agentAddress }, trailers: [] };
      return { author: { name: `Agent ${by.dialogId}`, address: agentAddress }, trailers: [[dialogKey, by.dialogId]] };
    case "outside": {
      const { agentId, framework } = by;
      const author = { name: `Agent ${agentId}`, address: agentAddress };
      return {
        author,
        trailers: [
          [agentKey, agentId],
          [frameworkKey, framework],
        ],
      };
    }
    case "vibey":
      return { author: vibeyAuthor, trailers: [] };
  }
}

export function byOf({ author, trailers }: Pick<CommitRecord, "author" | "trailers">): Actor {
  if (author.address === humanAuthor.address) return human;
  if (author.address !== agentAddress) return vibey;
  const agentId = trailer({ trailers }, agentKey);
  if (agentId !== null) return { kind: "outside", agentId, framework: trailer({ trailers }, frameworkKey) ?? "" };
  return agent(trailer({ trailers }, dialogKey) ?? "");
}

type Trailers = CommitRecord["trailers"];

/** The trailer of a commit that undoes this commit completely, or that restores everything to the state after this commit. */
export const undoing = (id: Oid): Trailers => [[undoesKey, id]];
export const restoring = (id: Oid): Trailers => [[restoresKey, id]];

/** The trailer of an import's commit. */
export const imported: Trailers = [[importedKey, "zip"]];
/** Whether the commit came with a zip, or contains what a zip brought. A stranger may have forged its author. */
export const cameWithZip = (record: Pick<CommitRecord, "trailers" | "unaccepted">): boolean =>
  record.unaccepted === true || trailer(record, importedKey) !== null;

/** The commit that this one undid. Null if none. */
export const undoesOf = (record: Pick<CommitRecord, "trailers">): Oid | null => trailer(record, undoesKey);
/** The commit whose state this one restored completely. Null if none. */
export const restoresOf = (record: Pick<CommitRecord, "trailers">): Oid | null => trailer(record, restoresKey);

const trailer = ({ trailers }: Pick<CommitRecord, "trailers">, key: string): string | null =>
  trailers.find(([one]) => one === key)?.[1] ?? null;
