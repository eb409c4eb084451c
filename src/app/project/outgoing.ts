import type { OutgoingAnswer, Writer } from "../../protocol/index.ts";
import { slugOf } from "../docs/names.ts";
import * as t from "../texts/outgoing.ts";

/** Whether to ask the user before the export: something would run without a command that names it, or is too large for an import. */
export function isWorthAsking({ findings, packages }: OutgoingAnswer): boolean {
  return (
    packages > 0 ||
    findings.some(({ level, reason }) => level !== "listed" || (reason.kind === "runs" && reason.when === "packages-installed"))
  );
}

export function writerWords(writer: Writer | null): string {
  switch (writer?.kind) {
    case undefined:
      return t.byUnknown;
    case "human":
      return t.byYou;
    case "import":
      return t.byImport;
    case "vibey":
      return t.byVibey;
    case "outside":
      return t.bySomeAgent;
    case "agent":
      return writer?.dialogId === "" ? t.bySomeAgent : t.byDialog(slugOf(writer.dialogId));
  }
}
