import type { Author } from "../../fs/history/commit-object.ts";
import type { CommitRecord } from "../../fs/history/store.ts";
import type { HistoryBy } from "../api.ts";

const human: Author = { name: "Human", address: "human@vibey.invalid" };
const vibey: Author = { name: "Vibey", address: "vibey@vibey.invalid" };
const agentAddress = "agent@vibey.invalid";
const dialogKey = "Dialog";

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
  return { kind: "dialog", dialogId: trailers.find(([key]) => key === dialogKey)?.[1] ?? null };
}
