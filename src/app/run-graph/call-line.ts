import type { CallView } from "../../protocol/index.ts";
import { isObject, subject } from "../calls/describe.ts";
import { visible } from "../calls/visible.ts";
import * as t from "../texts/run-graph.ts";

/** The field with the content: of the input for calls that write, of the result for calls that return it. */
const contents: ReadonlyMap<string, { readonly in: "input" | "result"; readonly field: string }> = new Map([
  ["vfs_write", { in: "input", field: "content" }],
  ["write_file", { in: "input", field: "content" }],
  ["run_command", { in: "result", field: "stdout" }],
]);

/**
 * The content of a call: the text that it wrote or returned, such as a file or a tool's sentence; else its result, or its input while it has no
 * result.
 */
export function contentOf({ tool, input, result }: Pick<CallView, "tool" | "input" | "result">): string {
  const known = contents.get(tool);
  const from = known?.in === "input" ? input : result;
  const value = isObject(from) ? from[known?.field ?? "text"] : undefined;
  return typeof value === "string" ? value : JSON.stringify(result ?? input, null, 2);
}

/** "[vfs_read] artifacts/spec.md (1247 chars)"; without the number while the call has no result. */
export function callLine(call: Pick<CallView, "tool" | "input" | "result">): string {
  const about = visible(subject(call));
  const name = about === "" ? `[${visible(call.tool)}]` : `[${visible(call.tool)}] ${about}`;
  return call.result === null ? name : t.chars(name, contentOf(call).length);
}
