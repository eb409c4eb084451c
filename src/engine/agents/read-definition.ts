import type { Path } from "../../fs/path.ts";
import type { AgentFields } from "../../protocol/index.ts";
import { type AgentTool, agentTools, type Definition, slugPattern } from "./definition.ts";
import { type Entry, readFrontMatter } from "./front-matter.ts";
import { readTools } from "./tool-names.ts";

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

/**
 * Reads an agent from any file. It never fails: what it can't read as it was meant is a problem, what it has no use for is listed with the
 * reason, and a file without front matter is a prompt whose name is the file's.
 */
export function readDefinition(path: Path, text: string): Definition {
  const { entries, body, problems: found } = readFrontMatter(text, isKnownKey);
  const problems = [...found];
  const unused: { key: string; why: string }[] = [];
  for (const key of entries.keys()) {
    const why = Object.hasOwn(unusedKeys, key) ? unusedKeys[key] : undefined;
    if (!usedKeys.has(key)) unused.push({ key, why: why ?? "Vibey doesn't know this key." });
  }
  const read = reader(entries, problems);
  const slug = slugOf(path, read);
  const { tools, agents: named, revoked } = readPermissions(read, problems, unused);
  const prompt = read.text("prompt") ?? read.text("system_prompt");
  const listed = read.list("agents");
  const agents = listed === null && named.length === 0 ? null : [...new Set([...(listed ?? []), ...named].map((one) => one.toLowerCase()))];
  const fields: AgentFields = {
    displayName: read.text("display_name") ?? nameOf(read.text("name"), slug),
    description: read.text("description") ?? "",
    avatarUrl: read.text("avatar_url"),
    model: modelOf(read),
    maxTokens: read.count("max_tokens"),
    capabilities: read.list("capabilities") ?? [],
    isActive: read.flag("is_active") !== false && read.flag("disable") !== true && read.flag("disabled") !== true,
    tools,
    revoked,
    agents,
    maxTurns: read.count("max_turns") ?? read.count("maxTurns") ?? read.count("maxSteps") ?? read.count("steps"),
    timeout: read.count("timeout"),
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
      const number = typeof said === "string" && /^\d{1,9}$/.test(said.trim()) ? Number(said) : said;
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
  const own = /^vibey\/agent-(.+)\.md$/.exec(path)?.[1];
  if (own !== undefined) return toSlug(own);
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

/** What it may ask for. Whatever a file says, it only takes away. */
function readPermissions(read: Reader, problems: string[], unused: { key: string; why: string }[]) {
  const said = read.value("tools");
  const isMap = typeof said === "object" && said !== null && !Array.isArray(said);
  const names = isMap ? null : read.list("tools");
  const named = readTools(names ?? []);
  for (const name of named.unknown) if (name !== "*") unused.push({ key: `tools: ${name}`, why: "Vibey has no such tool." });
  let tools: readonly AgentTool[] | null = names === null || names.includes("*") ? null : named.tools;
  const without = (gone: readonly AgentTool[]) => {
    if (gone.length > 0) tools = (tools ?? agentTools).filter((tool) => !gone.includes(tool));
  };
  if (isMap) without(readTools(Object.entries(said).flatMap(([name, is]) => (is === false ? [name] : []))).tools);
  without(readTools(read.list("disallowedTools") ?? []).tools);
  if (read.text("permissionMode")?.toLowerCase() === "plan" || read.text("safety_mode") === "read_only")
    tools = (tools ?? agentTools).filter((tool) => reading.includes(tool));
  const permission = read.value("permission");
  const revoked: AgentTool[] = [];
  if (typeof permission === "object" && permission !== null) {
    for (const [name, word] of Object.entries(permission)) {
      const meant = readTools([name]).tools;
      // An object asks for some and allows others: then all ask.
      if (word === "deny") without(meant);
      else if (word === "ask" || typeof word === "object") revoked.push(...meant);
    }
  } else if (permission !== null) problems.push("permission: expected a list of tools.");
  return { tools, agents: named.agents, revoked: agentTools.filter((tool) => revoked.includes(tool)) };
}
