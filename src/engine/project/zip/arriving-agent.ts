import { unaskedTools } from "../../../dialog/levels.ts";
import type { Path } from "../../../fs/path.ts";
import { editDefinition } from "../../agents/edit-definition.ts";
import { readDefinition } from "../../agents/read-definition.ts";
import { placeOf } from "../../agents/registry.ts";

/** The key of an agent's file that makes tools ask. */
const key = "approve_actions";

/**
 * The file of one of the user's agents as it comes with an import: what it would do without asking, asks. `lines`: what that was. null: it is no such
 * file, or does nothing without asking.
 */
export function askingAgent(path: Path, bytes: Uint8Array): { readonly text: string; readonly lines: readonly string[] } | null {
  if (placeOf(path) !== "yours") return null;
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const { tools, revoked } = readDefinition(path, text).fields;
  const unasked = [...unaskedTools].filter((tool) => (tools?.includes(tool) ?? true) && !revoked.includes(tool));
  if (unasked.length === 0) return null;
  return { text: editDefinition(text, { [key]: [...revoked, ...unasked] }), lines: [`tools: ${unasked.join(", ")}`] };
}
