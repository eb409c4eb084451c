import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { DialogAgent } from "../../dialog/agent.ts";
import type { Files } from "../../fs/files.ts";
import { type Path, parsePath } from "../../fs/path.ts";
import { dialogAgent } from "./dialog-agent.ts";
import { slugPattern } from "./definition.ts";
import { isWellNamed, readDefinition } from "./read-definition.ts";
import { placeOf } from "./registry.ts";

/** The agent with which a run begins. */
export interface EntryAgent {
  readonly agent: DialogAgent;
  readonly path: Path;
  /** The SHA-256 of its file, in hexadecimal. */
  readonly hash: string;
  /** The model that its file names. Null if it names none. */
  readonly model: string | null;
  /** It is one of the user's own agents, so the permissions in doc-main.md apply to it. */
  readonly isYours: boolean;
  /** What could not be read as intended, one sentence each. */
  readonly problems: readonly string[];
}

/** The agent with this path in the project, or the user's agent with this slug. Otherwise one line that says why there is none. */
export async function entryAgent(named: string, files: Pick<Files, "read">): Promise<EntryAgent | string> {
  const parsed = parsePath(slugPattern.test(named) ? `vibey/agent-${named}.md` : named);
  if (!parsed.ok) return "expected the path of an agent's file, or the name of one of your agents";
  const { path } = parsed;
  const isYours = placeOf(path) === "yours" && isWellNamed(path);
  if (!path.endsWith(".md") || (path.startsWith("vibey/") && !isYours)) return `${path} is no agent's file`;
  const content = await files.read(path);
  if (content === null) return `there is no file ${path}`;
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(content.bytes);
  const definition = readDefinition(path, text);
  if (!definition.fields.isActive || definition.isSystem) return `${path} can't be started: its file says so`;
  const agent = dialogAgent({ definition, text }, "run");
  // Only the user's own agents have a memory.
  return {
    agent: { ...agent, hasMemory: agent.hasMemory && isYours },
    path,
    hash: bytesToHex(sha256(content.bytes)),
    model: definition.fields.model,
    isYours,
    problems: definition.problems,
  };
}
