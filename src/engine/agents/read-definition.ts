import type { Path } from "../../fs/path.ts";
import type { AgentFields } from "../../protocol/index.ts";
import { agentTools, type Definition, slugPattern } from "./definition.ts";
import { type FrontMatter, readFrontMatter } from "./front-matter.ts";
import { type Reader, reader } from "./reader.ts";
import { readApproval } from "./read-approval.ts";
import { narrowing, plain, readPermissions } from "./read-permissions.ts";

/** Why a key of another program has no meaning here. */
const unusedKeys: Readonly<Record<string, string>> = {
  hooks: "Hooks would run without your approval.",
  mcpServers: "A page can't reach MCP servers.",
  "mcp-servers": "A page can't reach MCP servers.",
  skills: "Vibey has no skills. Name a doc in the prompt instead.",
  background: "An agent starts when you start it.",
  isolation: "Every agent works in the project's own files.",
  effort: "Vibey doesn't set how long a model thinks.",
  color: "Vibey shows an agent by its name.",
  avatar_url: "Vibey shows an agent by its name.",
  temperature: "Vibey leaves the temperature to the provider.",
  top_p: "Vibey leaves sampling to the provider.",
  target: "Vibey has only one place to run agents.",
  metadata: "Nothing here reads it.",
  "argument-hint": "A message takes any text.",
  handoffs: "Start the next agent yourself.",
  globs: "An agent is mentioned or started, whatever file is open.",
  alwaysApply: "An agent is mentioned or started by you.",
  kind: "Every agent is a file.",
  is_background: "An agent starts when you start it.",
  gloves_off_triggers: "No word in a message gives more permission.",
  priority: "Your own words go first, then messages between agents, then the agents nearest to the first one of their run.",
  autonomous_actions: "Only a line of yours lets something run without asking.",
};

/** The keys that this reader uses, as the programs spell them. Case matters: a line "Context: …" in a description is not a key. */
const usedKeys = new Set(
  (
    "id slug name display_name description model max_tokens capabilities is_active is_system tools agents max_turns maxTurns steps maxSteps " +
    "timeout memory context disallowedTools permissionMode permission disable disabled prompt system_prompt mode hidden " +
    "user-invocable user-invokable disable-model-invocation infer timeout_mins readonly safety_mode permissions reads writes allowed_tools blocked_tools approval_rules approve_actions escalate_actions"
  ).split(" "),
);

/** Whether it is a key of an agent file of any program. */
export const isKnownKey = (key: string): boolean => usedKeys.has(key) || Object.hasOwn(unusedKeys, key);

/** The same keys in other spellings, which are not valid here. */
const likeNarrowing = new Set([...narrowing.map(plain), "allowedtools"]);

const largest = { maxTokens: 1_000_000, maxTurns: 1_000, timeout: 86_400 };

export const namingProblem = "An agent's file is named agent-<name>.md: lower-case letters, digits, - and _.";

/**
 * Reads an agent from any file and never fails. What can't be read as intended becomes a problem. Keys without a use are listed with the reason.
 * A file without front matter is a prompt, and the agent is named after the file.
 */
export function readDefinition(path: Path, text: string): Definition {
  const matter = readFrontMatter(text, isKnownKey);
  const { entries, body } = matter;
  const problems = [...matter.problems];
  const unused: { key: string; why: string }[] = [];
  for (const key of entries.keys()) {
    const why = Object.hasOwn(unusedKeys, key) ? unusedKeys[key] : undefined;
    if (!usedKeys.has(key)) unused.push({ key, why: why ?? "Vibey doesn't know this key." });
  }
  const read = reader(entries, problems);
  const slug = slugOf(path, read);
  if (path.startsWith("vibey/") && !isWellNamed(path)) problems.push(namingProblem);
  const isUnclear = isUnclearText(text, problems) || matter.isUnclear || hasUnclearKeys(matter, problems);
  const { tools, agents: named, revoked, reads, writes } = readPermissions(read, isUnclear, problems, unused);
  const approval = readApproval(entries, problems, unused);
  const prompt = read.text("prompt") ?? read.text("system_prompt");
  const listed = read.list("agents") ?? (entries.has("agents") ? [] : null);
  const agents = listed === null && named.length === 0 ? null : [...new Set([...(listed ?? []), ...named].map((one) => one.toLowerCase()))];
  const fields: AgentFields = {
    displayName: read.text("display_name") ?? nameOf(read.text("name"), slug),
    description: read.text("description") ?? "",
    avatarUrl: read.text("avatar_url"),
    model: modelOf(read),
    maxTokens: atMost(read.count("max_tokens"), largest.maxTokens),
    capabilities: read.list("capabilities") ?? [],
    isActive: read.flag("is_active") !== false && read.flag("disable") !== true && read.flag("disabled") !== true,
    tools,
    revoked: agentTools.filter((tool) => revoked.includes(tool) || approval.asks.includes(tool)),
    escalated: approval.escalates,
    asksAgain: approval.asksAgain,
    reads,
    writes,
    agents,
    maxTurns: atMost(read.count("max_turns") ?? read.count("maxTurns") ?? read.count("maxSteps") ?? read.count("steps"), largest.maxTurns),
    timeout: atMost(read.count("timeout") ?? minutes(read.count("timeout_mins")), largest.timeout),
    memory: read.flag("memory") === true || (read.text("memory") !== null && read.flag("memory") === null),
    context: entries.get("context")?.value === "all" ? "all" : read.count("context"),
  };
  return {
    path,
    slug,
    isSystem: slug.startsWith("_") || read.flag("is_system") === true,
    fields,
    body: body === "" ? (prompt ?? "") : body,
    problems,
    unused,
  };
}

/** Whether the file has a name that lets its agent be started. */
export function isWellNamed(path: Path): boolean {
  const own = ownName(path);
  return own !== null && slugPattern.test(own);
}

const ownName = (path: Path): string | null => /^vibey\/agent-([^]+)\.md$/.exec(path)?.[1] ?? null;

/** Text in another encoding can't be read. */
function isUnclearText(text: string, problems: string[]): boolean {
  if (!text.includes("\u0000")) return false;
  problems.push("The file isn't text.");
  return true;
}

/** A restricting key that is duplicated, invalid, or misspelled may restrict something we can't read. */
function hasUnclearKeys({ entries, hidden }: Pick<FrontMatter, "entries" | "hidden">, problems: string[]): boolean {
  let isUnclear = false;
  for (const key of hidden) {
    if (!likeNarrowing.has(plain(key))) continue;
    problems.push(`${key}: expected a line that begins with the key.`);
    isUnclear = true;
  }
  for (const [key, { isRaw, isTwice, value }] of entries) {
    if (!likeNarrowing.has(plain(key))) continue;
    const isKey = narrowing.some((one) => one === key);
    // In YAML, `*` by itself is an alias. Here it means all tools.
    if (isKey && !isTwice && (!isRaw || (key === "tools" && value === "*") || (value === "**" && /^(?:reads|writes)$/.test(key)))) continue;
    if (!isKey) problems.push(`${key}: Vibey doesn't read this key, which may narrow what the agent can do.`);
    else if (isTwice) problems.push(`${key} appears twice.`);
    isUnclear = true;
  }
  if (isUnclear) problems.push("So this agent has no tools.");
  return isUnclear;
}

const minutes = (count: number | null): number | null => (count === null ? null : count * 60);

const atMost = (count: number | null, most: number): number | null => (count === null ? null : Math.min(count, most));

function slugOf(path: Path, read: Reader): string {
  const file = path.slice(path.lastIndexOf("/") + 1).replace(/(?:\.agent|\.chatmode)?\.md$/i, "");
  const own = ownName(path);
  if (own !== null) return slugPattern.test(own) ? own : toSlug(own);
  for (const said of [read.text("id"), read.text("slug"), read.text("name")])
    if (said !== null && slugPattern.test(said.toLowerCase())) return said.toLowerCase();
  return toSlug(file);
}

/** Turns any text into a slug. */
export function toSlug(text: string): string {
  const slug = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40);
  return slug === "" ? "agent" : slug;
}

function nameOf(name: string | null, slug: string): string {
  if (name !== null && !slugPattern.test(name)) return name;
  const words = (name ?? slug).replace(/^_/, "").replaceAll(/[-_]+/g, " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function modelOf(read: Reader): string | null {
  const said = read.value("model");
  const model = Array.isArray(said) ? said.find((one): one is string => typeof one === "string") : read.text("model");
  return model === undefined || model === null || model.toLowerCase() === "inherit" ? null : model.trim();
}
