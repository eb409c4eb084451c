import type { Files } from "../../../../src/fs/files.ts";
import { memoryFiles } from "../../../../src/fs/memory.ts";
import type { JsonObject } from "../../../../src/dialog/model.ts";
import type { Plan, PlannedTool } from "../../../../src/engine/turn/tools/tool.ts";
import { path } from "../../../fs/notation.ts";

export type Content = string | Uint8Array;

export async function filesOf(contents: Readonly<Record<string, Content>>): Promise<Files> {
  const files = memoryFiles({ now: () => 0 });
  for (const [name, data] of Object.entries(contents))
    await files.commit([{ op: "write", path: path(name), data }], { durability: "relaxed" });
  return files;
}

/** Checks, plans and commits, as the engine does. */
export async function use(tool: PlannedTool, input: JsonObject, files: Files): Promise<Plan> {
  const fault = tool.check(input);
  if (fault !== null) throw new Error(fault);
  const plan = await tool.plan(input, { files, memory: null, changedByOthers: async () => null });
  const done = await files.commit(plan.changes, { durability: "strict", expect: plan.expect });
  if (!done.ok) throw new Error(done.failure.kind);
  return plan;
}

export async function textAt(files: Files, name: string): Promise<string | null> {
  const content = await files.read(path(name));
  return content && new TextDecoder("utf-8", { ignoreBOM: true }).decode(content.bytes);
}
