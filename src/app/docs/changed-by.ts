import type { Actor } from "../../fs/actor.ts";
import { readAtCommit, readHistory } from "../model/api/history.ts";
import { visible } from "../calls/visible.ts";
import * as t from "../texts/docs-conflict.ts";
import { slugOf } from "./names.ts";

/**
 * A sentence that says who saved this text of a file. `by`: the author named by the change's event; null: there was no event, for example after a
 * reload. If the history already has this text, it knows more: the user may have imported or restored it.
 */
export async function changedBy(path: string, text: string, by: Actor | null): Promise<string> {
  if (by !== null && by.kind !== "human") return sentence(by, "");
  const history = await readHistory({ path, limit: 1 });
  const last = history.ok ? history.value.commits[0] : undefined;
  const content = last === undefined ? null : await readAtCommit(last.id, path);
  if (last !== undefined && content?.ok === true && content.value === text) return sentence(last.by, last.summary);
  return by === null ? t.changedElsewhere : t.byYou;
}

function sentence(by: Actor, summary: string): string {
  if (by.kind === "vibey") return t.byVibey;
  if (by.kind === "outside") return t.byAgent;
  if (by.kind === "agent") return by.dialogId === "" ? t.byAgent : t.byAgentOf(visible(slugOf(by.dialogId)));
  if (summary.startsWith("imported ")) return t.byImport;
  return /^(restored|undid|redid) /.test(summary) ? t.byRestore : t.byYou;
}
