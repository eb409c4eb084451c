import { unaskedTools } from "../../../dialog/levels.ts";
import type { Path } from "../../../fs/path.ts";
import { editDefinition } from "../../agents/edit-definition.ts";
import { readDefinition } from "../../agents/read-definition.ts";
import { placeOf } from "../../agents/registry.ts";

/** The key of an agent's file that makes tools need approval. */
const key = "approve_actions";

/** The tools that the agent of this file would use without approval. None if it isn't the file of one of the user's agents. */
export function unaskedOf(path: Path, bytes: Uint8Array | null): readonly string[] {
  if (bytes === null || placeOf(path) !== "yours") return [];
  const { tools, revoked } = readDefinition(path, decode(bytes)).fields;
  return [...unaskedTools].filter((tool) => (tools?.includes(tool) ?? true) && !revoked.includes(tool));
}

/**
 * An imported file of one of the user's agents, changed so that all its tools need approval. `lines` says which didn't. Null if it isn't such a
 * file, or if all its tools need approval anyway.
 */
export function askingAgent(path: Path, bytes: Uint8Array): { readonly text: string; readonly lines: readonly string[] } | null {
  const unasked = unaskedOf(path, bytes);
  if (unasked.length === 0) return null;
  const text = decode(bytes);
  const { revoked } = readDefinition(path, text).fields;
  return { text: editDefinition(text, { [key]: [...revoked, ...unasked] }), lines: [`tools: ${unasked.join(", ")}`] };
}

const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
