import { isPathPattern } from "./agent-paths.ts";
import { only } from "./meta.ts";
import type { Dialog, Meta } from "./model.ts";
import { runOf } from "./run.ts";

/** The agent of a dialog, if a file defines it. The dialog contains the definition, so it can continue without the file. */
export interface DialogAgent {
  readonly slug: string;
  /** SHA-256 of `text`, in hexadecimal. */
  readonly hash: string;
  /** The names of the tools that the agent may use. */
  readonly tools: readonly string[];
  /** The tools that need approval in a new dialog, whatever doc-main.md allows. */
  readonly asks: readonly string[];
  /** The tools that need approval for each call, whatever is allowed anywhere. */
  readonly escalates: readonly string[];
  /** Patterns of the files that the agent's tools may read and write. Null: all files. */
  readonly reads: readonly string[] | null;
  readonly writes: readonly string[] | null;
  /** Seconds after which the user is reminded of an open request of this agent. Null: never. */
  readonly asksAgain: number | null;
  /** The most tools that the agents it starts can have. Null: all. */
  readonly ceiling: readonly string[] | null;
  /** The agents that it can start, by slug, as its file names them. Null if the file doesn't say. */
  readonly agents: readonly string[] | null;
  readonly bounds: AgentBounds;
  /** Whether the agent keeps a memory between its dialogs. */
  readonly hasMemory: boolean;
  /** The definition: front matter and prompt. Empty if the file was empty. */
  readonly text: string;
}

/** Limits in an agent's file. Null if the file sets none. */
export interface AgentBounds {
  /** Tokens per response. */
  readonly maxTokens: number | null;
  /** Responses per message of the user. */
  readonly maxTurns: number | null;
  /** Seconds per response. */
  readonly timeout: number | null;
}

export const unbounded: AgentBounds = { maxTokens: null, maxTurns: null, timeout: null };

/** The header line for each limit. */
const boundKeys = { maxTokens: "Max tokens", maxTurns: "Max turns", timeout: "Timeout" } as const;

/**
 * Whether Vibey continues dialogs of this format. In format 2 a file defines the agent, which earlier versions would ignore, or agents answer each
 * other, whose words earlier versions would take for the user's.
 */
export const isOwnFormat = (format: Dialog["format"]): boolean => format === 1 || format === 2;

const AGENT = "Agent";
const TOOLS = "Tools";
const ASKS = "Asks";
const ESCALATES = "Asks always";
const ASKS_AGAIN = "Asks again";
const READS = "Reads";
const WRITES = "Writes";
const CEILING = "Ceiling";
const AGENTS = "Agents";
const MEMORY = "Memory";
const none = "none";

/** The header lines that define an agent. */
export function agentLines(agent: DialogAgent): Meta[] {
  const { slug, hash, tools, asks, escalates, reads, writes, asksAgain, ceiling, agents, bounds, hasMemory } = agent;
  return [
    { key: AGENT, value: `${slug} ${hash}` },
    listLine(TOOLS, tools),
    ...(asks.length === 0 ? [] : [listLine(ASKS, asks)]),
    ...(escalates.length === 0 ? [] : [listLine(ESCALATES, escalates)]),
    ...boundLine(ASKS_AGAIN, asksAgain),
    ...(reads === null ? [] : [listLine(READS, reads)]),
    ...(writes === null ? [] : [listLine(WRITES, writes)]),
    ...(ceiling === null ? [] : [listLine(CEILING, ceiling)]),
    ...(agents === null ? [] : [listLine(AGENTS, agents)]),
    ...boundLine(boundKeys.maxTokens, bounds.maxTokens),
    ...boundLine(boundKeys.maxTurns, bounds.maxTurns),
    ...boundLine(boundKeys.timeout, bounds.timeout),
    ...(hasMemory ? [{ key: MEMORY, value: "yes" }] : []),
  ];
}

const listLine = (key: string, names: readonly string[]): Meta => ({ key, value: names.length === 0 ? none : names.join(", ") });
const boundLine = (key: string, value: number | null): Meta[] => (value === null ? [] : [{ key, value: String(value) }]);

/** A dialog with this definition before its first message. */
export function withDefinition(dialog: Dialog, { text }: DialogAgent): Dialog {
  return { ...dialog, format: 2, parts: text === "" ? dialog.parts : [{ kind: "text", text }, ...dialog.parts] };
}

const VALUE = /^([a-z0-9_][a-z0-9_-]{0,39}) ([0-9a-f]{64})$/;
const NAMES = /^[A-Za-z0-9_-]{1,64}(?:, [A-Za-z0-9_-]{1,64})*$/;

/**
 * The agent that the header names. Null if there is none. Only the header counts. If the lines for the name or the tools are duplicated or invalid,
 * the agent has no tools.
 */
export function agentOf({ format, head, parts }: Pick<Dialog, "format" | "head" | "parts">): DialogAgent | null {
  if (format !== 2 || !head.some(({ key }) => key === AGENT || key === TOOLS)) return null;
  const [, slug = "agent", hash = ""] = VALUE.exec(only(head, AGENT) ?? "") ?? [];
  const tools = (hash === "" ? null : namesIn(head, TOOLS)) ?? [];
  const has = (name: string): boolean => head.some(({ key }) => key === name);
  const asks = has(ASKS) ? (namesIn(head, ASKS) ?? tools) : [];
  const escalates = has(ESCALATES) ? (namesIn(head, ESCALATES) ?? tools) : [];
  const seconds = only(head, ASKS_AGAIN) ?? "";
  const ceiling = has(CEILING) ? (namesIn(head, CEILING) ?? []) : null;
  const agents = has(AGENTS) ? (namesIn(head, AGENTS) ?? []) : null;
  const [first] = parts;
  return {
    slug,
    hash,
    tools,
    asks,
    escalates,
    reads: has(READS) ? pathsIn(head, READS) : null,
    writes: has(WRITES) ? pathsIn(head, WRITES) : null,
    asksAgain: /^[1-9]\d{0,8}$/.test(seconds) ? Number(seconds) : null,
    ceiling,
    agents,
    bounds: boundsOf(head),
    hasMemory: only(head, MEMORY) === "yes",
    text: first?.kind === "text" ? first.text : "",
  };
}

/** The path of the file that defined the dialog's agent. Null if no file did. */
export function agentPath({ format, head }: Pick<Dialog, "format" | "head">): string | null {
  const member = format === 2 ? runOf(head) : null;
  if (member) return member.file;
  const [, slug] = (format === 2 && VALUE.exec(only(head, AGENT) ?? "")) || [];
  return slug === undefined ? null : `vibey/agent-${slug}.md`;
}

/** The names in a line. Null if the line is duplicated, invalid or empty. */
function namesIn(head: readonly Meta[], key: string): string[] | null {
  const value = only(head, key);
  return value !== null && value !== none && NAMES.test(value) ? value.split(", ") : null;
}

/** The patterns in a line. Empty if the line is duplicated or invalid. */
function pathsIn(head: readonly Meta[], key: string): string[] {
  const paths = (only(head, key) ?? none).split(", ");
  return paths.every((one) => one !== none && isPathPattern(one)) ? paths : [];
}

/** A duplicated or invalid line gives the strictest limit: 1. */
function boundsOf(head: readonly Meta[]): AgentBounds {
  const read = (name: keyof AgentBounds): number | null => {
    const key = boundKeys[name];
    if (!head.some((line) => line.key === key)) return null;
    const value = only(head, key) ?? "";
    return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : 1;
  };
  return { maxTokens: read("maxTokens"), maxTurns: read("maxTurns"), timeout: read("timeout") };
}
