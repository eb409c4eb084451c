import { dialogCalls } from "../../dialog/edit.ts";
import { isJsonObject } from "../../dialog/json.ts";
import type { Dialog } from "../../dialog/model.ts";
import type { Path } from "../../fs/path.ts";
import { agentPath } from "../../protocol/write-rules.ts";
import { fileName } from "../scheduler/guardrails.ts";
import type { Runs } from "../scheduler/runs.ts";

/** The agent of the same run, by its file's name, that works now and has read this file; null: none. `peek`: what a dialog says that is open. */
export function readerOf(
  path: Path,
  dialogId: string,
  runs: Pick<Runs, "member" | "members">,
  peek: (id: string) => Dialog | null,
): string | null {
  const own = runs.member(dialogId);
  if (own === null) return null;
  const others = runs.members(own.run).filter((one) => one.dialogId !== dialogId && one.status === "active");
  const reader = others.find((one) => {
    const dialog = peek(one.dialogId);
    return dialog !== null && hasRead(dialog, path);
  });
  return reader ? fileName(reader.file) : null;
}

function hasRead(dialog: Dialog, path: Path): boolean {
  return dialogCalls(dialog).some(({ name, input, result }) => {
    if (name !== "vfs_read" || typeof input["path"] !== "string" || !isJsonObject(result) || result["success"] !== true) return false;
    const named = agentPath(input["path"]);
    return named.ok && named.path === path;
  });
}
