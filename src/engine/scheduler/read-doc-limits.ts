import type { Files } from "../../fs/files.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import { type LimitsInForce, limitsOf } from "./doc-limits.ts";
import { readMain } from "../dialogs/docs.ts";

/** The limits of doc-main.md, read again when it has changed. */
export interface DocLimits {
  /** The limits that hold now; null while doc-main.md is newer than what was read of it. */
  known(): LimitsInForce | null;
  /** What was read last, for a step that can't wait. */
  last(): LimitsInForce;
  read(): Promise<LimitsInForce>;
}

/** `changed`: doc-main.md is another now, or gone. A doc that can't be read changes no limit, and is reported. */
export function followDocLimits(files: Pick<Files, "read" | "watch">, changed: () => void, report: (error: unknown) => void): DocLimits {
  const main = vibeyPath("doc-main.md");
  let last = limitsOf(null);
  let revision = 0;
  let readRevision = -1;

  files.watch((events) => {
    if (!events.some((event) => (event.kind === "renamed" ? event.from === main || event.to === main : event.path === main))) return;
    revision += 1;
    changed();
  });

  return {
    known: () => (readRevision === revision ? last : null),
    last: () => last,
    async read() {
      while (readRevision !== revision) {
        const reading = revision;
        try {
          last = limitsOf(await readMain(files));
        } catch (error) {
          report(error);
        }
        readRevision = reading;
      }
      return last;
    },
  };
}
