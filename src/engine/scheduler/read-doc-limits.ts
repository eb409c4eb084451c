import type { Files } from "../../fs/files.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import { type LimitsInForce, limitsOf } from "./doc-limits.ts";
import { readMain } from "../dialogs/docs.ts";

/** The limits in doc-main.md, read again when the file has changed. */
export interface DocLimits {
  /** The current limits. Null if doc-main.md has changed since it was read. */
  known(): LimitsInForce | null;
  /** The limits that were read last, for a step that can't wait. */
  last(): LimitsInForce;
  read(): Promise<LimitsInForce>;
}

/** `changed` is called if doc-main.md has changed or was deleted. If it can't be read, the limits stay the same and the error is reported. */
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
