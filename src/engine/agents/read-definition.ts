import type { Path } from "../../fs/path.ts";
import type { AgentFields } from "../../protocol/index.ts";
import { type AgentTool, agentTools, type Definition, slugPattern } from "./definition.ts";
import { type Entry, type FrontMatter, readFrontMatter } from "./front-matter.ts";
import { readTools, toolsOfRule } from "./tool-names.ts";

/** Why a key of another program means nothing here. */
const unusedKeys: Readonly<Record<string, string>> = {
  hooks: "Hooks would run without your approval.",
  mcpServers: "A page can't reach MCP servers.",
  "mcp-servers": "A page can't reach MCP servers.",
  skills: "Vibey has no skills. Name a doc in the prompt instead.",
  background: "An agent starts when you start it.",
  isolation: "Every agent works in the project's own files.",
  effort: "Vibey doesn't set how long a model thinks.",
  color: "An agent's initial and name tell it apart.",
  temperature: "Vibey leaves the temperature to the provider.",
  top_p: "Vibey leaves sampling to the provider.",
  target: "There is one place where agents run.",
  metadata: "Nothing here reads it.",
  "argument-hint": "A message takes any text.",
  handoffs: "Start the next agent yourself.",
  autonomous_actions: "Only a line of yours lets something run without asking.",
};

/** Keys that this reader uses, as the programs spell them. Case counts: a line "Context: …" in a description is no key. */
const usedKeys = new Set(
  (
    "id slug name display_name description avatar_url model max_tokens capabilities is_active is_system tools agents max_turns maxTurns steps maxSteps " +
    "timeout priority memory context disallowedTools permissionMode permission disable disabled prompt system_prompt mode hidden " +
    "user-invocable user-invokable disable-model-invocation infer safety_mode permissions reads writes approval_rules"
  ).split(" "),
);

/** Whether it is a key of an agent file, of whatever program. */
export const isKnownKey = (key: string): boolean => usedKeys.has(key) || Object.hasOwn(unusedKeys, key);

/** What may be read without changing anything. */
const reading: readonly AgentTool[] = ["vfs_read", "vfs_list"];
/** What `edit` means in a list of permissions: every change of a file. */
const editing: readonly AgentTool[] = ["edit_file", "vfs_write"];

/** Keys that narrow what an agent may ask for. */
const narrowing = ["tools", "disallowedTools", "permission", "permissionMode", "safety_mode"] as const;
/** The same in other spellings, of which none is a key here. */
const likeNarrowing = new Set([...narrowing.map(plain), "allowedtools"]);

const largest = { maxTokens: 1_000_000, maxTurns: 1_000, timeout: 86_400 };

export const namingProblem = "An agent's file is named agent-<name>.md: lower-case letters, digits, - and _.";

/**
 * Reads an agent from any file. It never fails: what it can't read as it was meant is a problem, what it has no use for is listed with the
 * reason, and a file without front matter is a prompt whose name is the file's.
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
  const { tools, agents: named, revoked } = readPermissions(read, isUnclear, problems, unused);
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
    revoked,
    agents,
    maxTurns: atMost(read.count("max_turns") ?? read.count("maxTurns") ?? read.count("maxSteps") ?? read.count("steps"), largest.maxTurns),
    timeout: atMost(read.count("timeout"), largest.timeout),
    priority: read.count("priority"),
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

/** Whether the file is named as one that can be started has to be. */
export function isWellNamed(path: Path): boolean {
  const own = ownName(path);
  return own !== null && slugPattern.test(own);
}

const ownName = (path: Path): string | null => /^vibey\/agent-([^]+)\.md$/.exec(path)?.[1] ?? null;

/** Text of another encoding hides what it says. */
function isUnclearText(text: string, problems: string[]): boolean {
  if (!text.includes("\u0000")) return false;
  problems.push("The file isn't text.");
  return true;
}

/** A key that narrows and stands there twice, isn't YAML, or is spelled otherwise, may say what isn't read. */
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
    // `*` by itself is an alias in YAML, and meant as all tools.
    if (isKey && !isTwice && (!isRaw || (key === "tools" && value === "*"))) continue;
    if (!isKey) problems.push(`${key}: Vibey doesn't read this key, which may narrow what the agent can do.`);
    else if (isTwice) problems.push(`${key} stands there twice.`);
    isUnclear = true;
  }
  if (isUnclear) problems.push("So this agent has no tools.");
  return isUnclear;
}

function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, "");
}

const atMost = (count: number | null, most: number): number | null => (count === null ? null : Math.min(count, most));

interface Reader {
  /** A text that isn't empty; null: there is none. */
  text(key: string): string | null;
  /** A whole number above 0. */
  count(key: string): number | null;
  flag(key: string): boolean | null;
  /** A list, or a text with commas. */
  list(key: string): string[] | null;
  value(key: string): unknown;
}

function reader(keys: ReadonlyMap<string, Entry>, problems: string[]): Reader {
  const value = (key: string) => keys.get(key)?.value ?? null;
  const expected = (key: string, what: string) => {
    problems.push(`${key}: expected ${what}.`);
    return null;
  };
  return {
    value,
    text(key) {
      const said = value(key);
      if (said === null || said === "" || typeof said === "boolean") return null;
      if (typeof said === "string") return said.trim() || null;
      return typeof said === "number" ? String(said) : Array.isArray(said) ? null : expected(key, "a text");
    },
    count(key) {
      const said = value(key);
      if (said === null || said === "") return null;
      const number = typeof said === "string" && /^\d{1,15}$/.test(said.trim()) ? Number(said) : said;
      return typeof number === "number" && Number.isSafeInteger(number) && number > 0 ? number : expected(key, "a whole number above 0");
    },
    flag(key) {
      const said = value(key);
      if (typeof said === "boolean") return said;
      const word = typeof said === "string" ? said.trim().toLowerCase() : "";
      return ["true", "yes", "on"].includes(word) ? true : ["false", "no", "off"].includes(word) ? false : null;
    },
    list(key) {
      const said = value(key);
      if (said === null) return keys.has(key) ? [] : null;
      if (typeof said === "string") return splitList(said);
      if (Array.isArray(said))
        return said.flatMap((one) => (typeof one === "string" || typeof one === "number" ? [String(one).trim()] : [])).filter(Boolean);
      return null;
    },
  };
}

/** The items of a text with commas; those in parentheses, as in `Task(a, b)`, part nothing. */
function splitList(text: string): string[] {
  const items: string[] = [];
  let from = 0;
  let depth = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const sign = text[at];
    if (sign === "(") depth += 1;
    else if (sign === ")") depth = Math.max(0, depth - 1);
    else if (sign === undefined || (sign === "," && depth === 0)) {
      const item = text.slice(from, at).trim();
      if (item !== "") items.push(item);
      from = at + 1;
    }
  }
  return items;
}

function slugOf(path: Path, read: Reader): string {
  const file = path.slice(path.lastIndexOf("/") + 1).replace(/(?:\.agent|\.chatmode)?\.md$/i, "");
  const own = ownName(path);
  if (own !== null) return slugPattern.test(own) ? own : toSlug(own);
  for (const said of [read.text("id"), read.text("slug"), read.text("name")])
    if (said !== null && slugPattern.test(said.toLowerCase())) return said.toLowerCase();
  return toSlug(file);
}

/** Any text as a slug. */
export function toSlug(text: string): string {
  const slug = text
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

type Word = "allow" | "ask" | "deny";

function wordOf(said: unknown): Word | null {
  if (typeof said === "boolean") return said ? "allow" : "deny";
  const word = typeof said === "string" ? said.trim().toLowerCase() : "";
  if (["deny", "no", "off", "false", "never", "none"].includes(word)) return "deny";
  if (["allow", "yes", "on", "true"].includes(word)) return "allow";
  return word === "ask" ? "ask" : null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What it may ask for. Whatever a file says, it only takes away; what it says and can't be understood takes all away. */
function readPermissions(read: Reader, isUnclear: boolean, problems: string[], unused: { key: string; why: string }[]) {
  let tools: readonly AgentTool[] | null = null;
  const without = (gone: readonly AgentTool[]) => {
    if (gone.length > 0) tools = (tools ?? agentTools).filter((tool) => !gone.includes(tool));
  };
  const nothing = (key: string, what: string) => {
    problems.push(`${key}: expected ${what}. So this agent has no tools.`);
    tools = [];
  };

  const said = read.value("tools");
  const names = isObject(said) ? null : read.list("tools");
  const named = readTools(names ?? []);
  for (const name of named.unknown) if (name !== "*") unused.push({ key: `tools: ${name}`, why: "Vibey has no such tool." });
  if (isObject(said)) {
    const { denied, unread } = readRules(said, toolsOfRule);
    without(denied);
    if (unread.length > 0) nothing("tools", "true or false for each tool");
  } else if (said === false) tools = [];
  else if (names !== null) tools = names.includes("*") ? null : named.tools;
  else if (said !== null && said !== true) nothing("tools", "a list of tools");

  const disallowed = read.list("disallowedTools");
  if (disallowed !== null) without(disallowed.flatMap((name) => [...toolsOfRule(name), ...readTools([name]).tools]));
  else if (read.value("disallowedTools") !== null && read.value("disallowedTools") !== false) nothing("disallowedTools", "a list of tools");

  const isReading = read.text("permissionMode")?.toLowerCase() === "plan" || plain(read.text("safety_mode") ?? "") === "readonly";
  if (isReading) tools = (tools ?? agentTools).filter((tool) => reading.includes(tool));

  const permission = read.value("permission");
  let revoked: readonly AgentTool[] = [];
  if (isObject(permission)) {
    const rules = readRules(permission, (name) => (plain(name) === "edit" ? editing : toolsOfRule(name)));
    without(rules.denied);
    revoked = rules.asking;
    if (rules.unread.length > 0) nothing("permission", "allow, ask or deny for each tool");
  } else if (permission !== null) {
    const word = wordOf(permission);
    if (word === "deny") tools = [];
    else if (word === "ask") revoked = agentTools;
    else if (word === null) nothing("permission", "allow, ask or deny for each tool");
  }
  return { tools: isUnclear ? [] : tools, agents: named.agents, revoked };
}

/**
 * Rules by tool, of which a later one counts. Only what `*` denies can be allowed again: `{"*": deny, read: allow}` is an agent that reads.
 */
function readRules(rules: Readonly<Record<string, unknown>>, meaning: (name: string) => readonly AgentTool[]) {
  const words = new Map<AgentTool, Word>();
  const denied = new Set<AgentTool>();
  const unread: string[] = [];
  for (const [name, said] of Object.entries(rules)) {
    const word = isObject(said) ? wordOfMany(said) : wordOf(said);
    if (word === null) {
      unread.push(name);
      continue;
    }
    for (const tool of meaning(name)) {
      words.set(tool, word);
      if (word === "deny" && !name.includes("*")) denied.add(tool);
    }
  }
  const are = (what: Word) => agentTools.filter((tool) => words.get(tool) === what);
  return { denied: agentTools.filter((tool) => denied.has(tool) || words.get(tool) === "deny"), asking: are("ask"), unread };
}

/** An object asks for some and allows others: then all ask. Where it denies the rest, there is no way to say so here, and all are denied. */
function wordOfMany(said: Readonly<Record<string, unknown>>): Word {
  const deniesRest = Object.entries(said).some(
    ([name, word]) => /^\**$/.test(name.trim()) && wordOf(word) !== "allow" && wordOf(word) !== "ask",
  );
  return deniesRest ? "deny" : "ask";
}
