import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { DialogAgent } from "../../dialog/agent.ts";
import { clean } from "../../dialog/clean.ts";
import { LONGEST_VALUE } from "../../dialog/meta.ts";
import { type AgentTool, agentTools, slugPattern } from "./definition.ts";
import type { Registered } from "./registry.ts";
import { splitFrontMatter } from "./split.ts";

/** The tools, and their names in agent files. */
const names: readonly (readonly [tool: string, permission: AgentTool])[] = [
  ["run_command", "run_command"],
  ["write_file", "vfs_write"],
  ["edit_file", "edit_file"],
  ["launch_agent", "spawn_agent"],
  ["vfs_read", "vfs_read"],
  ["vfs_list", "vfs_list"],
];
/** The same for a run. */
const namesInRun: typeof names = agentTools.map((tool) => [tool, tool]);
/** The maximum number of agents that a file can name. Their names are in one line of the header. */
const maxAgents = 30;

/** The default token limit of a response for an agent without tools. */
const talkTokens = 4_096;

/** The SHA-256 of a definition as embedded in a dialog, in hexadecimal. */
export const definitionHash = (embedded: string): string => bytesToHex(sha256(utf8ToBytes(embedded)));

/** The definition as embedded in a dialog. Some programs store the prompt as a key of the front matter. */
export const embeddedText = ({ definition, text }: Pick<Registered, "definition" | "text">): string =>
  clean(splitFrontMatter(text).body === "" ? definition.body : text);

/**
 * The agent of a new dialog that the user starts, as its file defines it now. Later changes of the file don't affect the dialog. In a run, the
 * agent has the tools of a run.
 */
export function dialogAgent(
  { definition, text }: Pick<Registered, "definition" | "text">,
  where: "dialog" | "run" = "dialog",
): DialogAgent {
  const { tools, revoked, escalated, asksAgain, reads, writes, agents, memory, maxTokens, maxTurns, timeout } = definition.fields;
  const embedded = embeddedText({ definition, text });
  const here = where === "run" ? namesInRun : names;
  const named = here.flatMap(([tool, permission]) => (tools === null || tools.includes(permission) ? [tool] : []));
  const among = (permissions: readonly string[]) =>
    here.flatMap(([tool, permission]) => (permissions.includes(permission) && named.includes(tool) ? [tool] : []));
  return {
    slug: definition.slug,
    hash: definitionHash(embedded),
    tools: named,
    asks: among(revoked),
    escalates: among(escalated),
    asksAgain,
    reads: reads && thatFit(reads),
    writes: writes && thatFit(writes),
    ceiling: null,
    agents: agents && thatFit(agents.filter((slug) => slugPattern.test(slug)).slice(0, maxAgents)),
    // Agents without tools get a lower default token limit.
    bounds: { maxTokens: maxTokens ?? (tools?.length === 0 ? talkTokens : null), maxTurns, timeout },
    hasMemory: memory,
    text: embedded,
  };
}

/** The first words that fit into a line of the header. Words are never cut, because a cut name may be that of another agent or folder. */
function thatFit(words: readonly string[]): readonly string[] {
  let length = -2;
  const firstOut = words.findIndex((word) => (length += word.length + 2) > LONGEST_VALUE);
  return firstOut < 0 ? words : words.slice(0, firstOut);
}
