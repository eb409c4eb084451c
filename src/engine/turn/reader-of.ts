import { ranWith } from "../../dialog/call-json.ts";
import { dialogCalls } from "../../dialog/edit.ts";
import { isJsonObject } from "../../dialog/json.ts";
import type { Call, Dialog } from "../../dialog/model.ts";
import type { Path } from "../../fs/path.ts";
import { agentPath } from "../../protocol/write-rules.ts";
import { fileName } from "../scheduler/guardrails.ts";
import type { Runs } from "../scheduler/runs.ts";
import type { Plan } from "./tools/tool.ts";

const writes: ReadonlySet<string> = new Set(["vfs_write", "vfs_delete", "write_file", "edit_file"]);

/**
 * The file name of another active agent of the same run that has read this file since the dialog's own agent last read or wrote it. Null if there
 * is none. `peek` returns an open dialog.
 */
export function readerOf(
  path: Path,
  dialogId: string,
  runs: Pick<Runs, "member" | "members">,
  peek: (id: string) => Dialog | null,
): string | null {
  const own = runs.member(dialogId);
  if (own === null) return null;
  const mine = peek(dialogId);
  const since = mine === null ? null : lastTime(mine, path, (name) => name === "vfs_read" || writes.has(name));
  const others = runs.members(own.run).filter((one) => one.dialogId !== dialogId && one.status === "active");
  const reader = others.find((one) => {
    const dialog = peek(one.dialogId);
    const read = dialog === null ? null : lastTime(dialog, path, (name) => name === "vfs_read");
    return read !== null && (since === null || read >= since);
  });
  return reader ? fileName(reader.file) : null;
}

/** When the last successful one of these calls about the file began, in milliseconds since 1970. Null if there was none. */
function lastTime(dialog: Dialog, path: Path, isOne: (name: string) => boolean): number | null {
  const times = dialogCalls(dialog).flatMap((call) =>
    isOne(call.name) && wentWell(call, path) ? [Date.parse(call.started ?? "") || 0] : [],
  );
  return times.length === 0 ? null : times.reduce((last, time) => Math.max(last, time), 0);
}

function wentWell(call: Call, path: Path): boolean {
  const { result } = call;
  const { path: asked } = ranWith(call);
  if (typeof asked !== "string" || result === undefined || !isJsonObject(result) || result["success"] !== true) return false;
  const named = agentPath(asked);
  return named.ok && named.path === path;
}

/** Adds a warning to the plan's result for each changed file that another agent has read and is still working with. */
export async function withConflicts(plan: Plan, readingNow: (path: Path) => Promise<string | null>): Promise<Plan> {
  const { result } = plan;
  if (!isJsonObject(result) || result["success"] !== true) return plan;
  const found: { readonly code: string; readonly message: string }[] = [];
  for (const change of plan.changes) {
    const reader = "path" in change ? await readingNow(change.path) : null;
    if (reader !== null && "path" in change)
      found.push({ code: "conflict", message: `conflict: '${change.path}' changed while ${reader} works with what it read of it` });
  }
  const given = result["warnings"];
  return found.length === 0 ? plan : { ...plan, result: { ...result, warnings: [...(Array.isArray(given) ? given : []), ...found] } };
}
