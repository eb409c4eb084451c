import type { Files } from "../../fs/files.ts";
import { StorageError } from "../../fs/storage-error.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import { reportKeys } from "../../dialog/outside.ts";
import { recoverDialog } from "../../dialog/recover.ts";
import type { DialogListing } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import { type SessionFacts, sessionFacts } from "./item.ts";

/** Maximum number of dialogs that are remembered. */
const kept = 20_000;

/** Reads dialogs for a list. Each one is read once until it changes. Null: it can't be read. */
export function createSummaries(files: Pick<Files, "read">) {
  const known = new Map<string, { readonly mtime: number; readonly facts: SessionFacts }>();
  return async ({ filename, mtime }: Pick<DialogListing, "filename" | "mtime">): Promise<SessionFacts | null> => {
    const before = known.get(filename);
    if (before?.mtime === mtime) return before.facts;
    known.delete(filename);
    try {
      const content = await files.read(vibeyPath(filename));
      if (content === null) return null;
      const facts = factsIn(new TextDecoder().decode(content.bytes));
      known.set(filename, { mtime, facts });
      for (const oldest of known.keys()) if (known.size > kept) known.delete(oldest);
      return facts;
    } catch (error) {
      if (error instanceof StorageError) return null;
      throw error;
    }
  };
}

const takesMail = new RegExp(`^> (?:${reportKeys.takes}|${reportKeys.handed}): `, "m");

/** A long file isn't read section by section. Lines of these forms are always structure, because they are escaped in texts. */
function factsIn(text: string): SessionFacts {
  const { dialog } = recoverDialog(text);
  if (text.length <= limits.factsBytes) return sessionFacts(dialog);
  return sessionFacts(dialog, { calls: text.match(/^Tool request: /gm)?.length ?? 0, takesMail: takesMail.test(text) });
}
