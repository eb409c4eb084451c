import { isPathPattern } from "../../dialog/agent-paths.ts";
import { actionTools } from "./actions.ts";
import { type AgentTool, agentTools } from "./definition.ts";
import type { Reader } from "./reader.ts";
import { readTools, toolsOfRule, toolsTaken } from "./foreign-tool-names.ts";

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

/** The keys that restrict which tools an agent may request. */
export const narrowing = [
  "tools",
  "disallowedTools",
  "permission",
  "permissionMode",
  "safety_mode",
  "permissions",
  "reads",
  "writes",
  "allowed_tools",
  "blocked_tools",
  "readonly",
] as const;

export function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, "");
}

/** The tools that read without changing anything. */
const reading: readonly AgentTool[] = ["vfs_read", "vfs_list"];
/** The tools that `edit` means in a list of permissions: all that change a file. */
const editing: readonly AgentTool[] = ["edit_file", "vfs_write"];

export interface Permissions {
  /** The tools that the agent may request. Null means all. */
  readonly tools: readonly AgentTool[] | null;
  /** The slugs that the file names among the tools. */
  readonly agents: readonly string[];
  /** The tools that need approval in a new dialog. */
  readonly revoked: readonly AgentTool[];
  /** The patterns of the files that it may read and write. Null means all files. */
  readonly reads: readonly string[] | null;
  readonly writes: readonly string[] | null;
}

/** The tools that remain while keys are read. */
interface Left {
  tools: readonly AgentTool[] | null;
  revoked: readonly AgentTool[];
  readonly only: (kept: readonly AgentTool[]) => void;
  readonly without: (gone: readonly AgentTool[]) => void;
  readonly nothing: (key: string, what: string) => void;
}

function allTools(problems: string[]): Left {
  const left: Left = {
    tools: null,
    revoked: [],
    only: (kept) => void (left.tools = (left.tools ?? agentTools).filter((tool) => kept.includes(tool))),
    without(gone) {
      if (gone.length > 0) left.tools = (left.tools ?? agentTools).filter((tool) => !gone.includes(tool));
    },
    nothing(key, what) {
      problems.push(`${key}: expected ${what}. So this agent has no tools.`);
      left.tools = [];
    },
  };
  return left;
}

/** The tools that an item in a deny list means. `Bash(rm *)` means all of Bash. */
function deniedTools(name: string): readonly AgentTool[] {
  const [whole] = name.split("(");
  return [...toolsTaken(name), ...toolsTaken(whole ?? name)];
}

/** A tool that the file itself defines, as in Agent Studio. */
const isCustomTool = (one: unknown): one is { readonly name: string } =>
  isObject(one) && typeof one["name"] === "string" && (typeof one["prompt"] === "string" || isObject(one["parameters"]));

/** What the agent may request. A file can only remove tools. If it can't be understood, it removes all of them. */
export function readPermissions(read: Reader, isUnclear: boolean, problems: string[], unused: { key: string; why: string }[]): Permissions {
  const left = allTools(problems);
  const agents = readToolKeys(read, left, unused);
  readPermission(read, left);
  const mode = readSafetyMode(read, left);
  readPermissionsKey(read, left);
  const reads = readPatterns("reads", read, left, unused) ?? mode.reads;
  const writes = readPatterns("writes", read, left, unused) ?? mode.writes;
  // A command can read and write anywhere.
  if (reads !== null || writes !== null) left.without(["run_command"]);
  return { tools: isUnclear ? [] : left.tools, agents, revoked: left.revoked, reads, writes };
}

/** Reads the lists of tools. Returns the agents that are named in them. */
function readToolKeys(read: Reader, left: Left, unused: { key: string; why: string }[]): readonly string[] {
  const said = read.value("tools");
  const names = isObject(said) ? null : read.list("tools");
  const named = readTools(names ?? []);
  const other = Array.isArray(said) ? said.filter((one) => typeof one !== "string") : [];
  const custom = other.filter(isCustomTool);
  for (const { name } of custom) unused.push({ key: `tools: ${name}`, why: "Vibey has no tools of an agent's own." });
  for (const name of named.unknown) if (name !== "*") unused.push({ key: `tools: ${name}`, why: "Vibey has no such tool." });
  if (isObject(said)) {
    const { denied, unread } = readRules(said, (name, word) => (word === "allow" ? toolsOfRule(name) : toolsTaken(name)));
    left.without(denied);
    if (unread.length > 0) left.nothing("tools", "true or false for each tool");
  } else if (said === false) left.tools = [];
  else if (other.length > custom.length) left.nothing("tools", "names of tools");
  // In Agent Studio, a list of definitions adds tools to those that every agent has.
  else if (custom.length > 0 && names?.length === 0) left.tools = null;
  else if (names !== null) left.tools = names.includes("*") ? null : named.tools;
  else if (said !== null && said !== true) left.nothing("tools", "a list of tools");

  for (const key of ["disallowedTools", "blocked_tools"] as const) {
    const disallowed = read.list(key);
    if (disallowed !== null) left.without(disallowed.flatMap(deniedTools));
    else if (read.value(key) !== null && read.value(key) !== false) left.nothing(key, "a list of tools");
  }
  const allowed = read.list("allowed_tools");
  if (allowed !== null && allowed.length > 0) left.only(allowed.flatMap((name) => toolsOfRule(name)));
  else if (allowed === null && read.value("allowed_tools") !== null) left.nothing("allowed_tools", "a list of tools");
  return named.agents;
}

function readPermission(read: Reader, left: Left): void {
  const isReadOnly = read.value("readonly") !== null && read.flag("readonly") !== false;
  if (isReadOnly || read.text("permissionMode")?.toLowerCase() === "plan") left.only(reading);
  const permission = read.value("permission");
  if (isObject(permission)) readPermissionRules("permission", permission, ruleTools, left);
  else if (permission !== null) {
    const word = wordOf(permission);
    if (word === "deny") left.tools = [];
    else if (word === "ask") left.revoked = agentTools;
    else if (word === null) left.nothing("permission", "allow, ask or deny for each tool");
  }
}

type Meaning = (name: string, word: Word) => readonly AgentTool[];

/** The tools in opencode's rules. `edit` means every change of a file. */
const ruleTools: Meaning = (name, word) => {
  if (plain(name) === "edit") return word === "allow" ? editing : [...editing, "vfs_delete"];
  return word === "allow" ? toolsOfRule(name) : toolsTaken(name);
};

function readPermissionRules(key: string, rules: Readonly<Record<string, unknown>>, meaning: Meaning, left: Left): void {
  const { denied, asking, unread } = readRules(rules, meaning);
  left.without(denied);
  left.revoked = [...left.revoked, ...asking];
  if (unread.length > 0) left.nothing(key, "allow, ask or deny for each tool");
}

type Paths = Pick<Permissions, "reads" | "writes">;
const anywhere: Paths = { reads: null, writes: null };
const ownFolders = ["memory/**", "artifacts/**"];

/** The modes of Agent Studio, with what each excludes by default. */
function readSafetyMode(read: Reader, left: Left): Paths {
  const said = read.value("safety_mode");
  if (said === null || said === "") return anywhere;
  switch (typeof said === "string" ? plain(said) : "") {
    case "readonly":
      left.only(reading);
      return anywhere;
    case "safe":
    case "street":
      left.without(["spawn_agent", "vfs_delete", "run_command"]);
      return { reads: ["agents/**", ...ownFolders], writes: ownFolders };
    case "balanced":
      left.without(["vfs_delete", "run_command"]);
      return { reads: null, writes: ownFolders };
    case "glovesoff":
    case "autonomous":
    case "track":
      return anywhere;
    default:
      left.nothing("safety_mode", "safe, balanced or gloves_off");
      return anywhere;
  }
}

/** The tools that an entry of `permissions` means, by a tool's name or a phrase. No agent gets `edit_agents` and `custom_tools` anyway. */
function permissionTools(name: string): readonly AgentTool[] | null {
  const key = plain(name);
  if (["editagents", "overwriteagents", "customtools"].includes(key)) return [];
  const tools = actionTools(name);
  // A command can delete, too.
  return tools.length === 0 ? null : tools.includes("vfs_delete") ? [...tools, "run_command"] : tools;
}

const everything = new Set(["all", "allowall", "*", "glovesoff"]);

/** Reads Agent Studio's `permissions`: a list of what is allowed, or true and false by name. Also accepts `{deny: [Bash]}`. */
function readPermissionsKey(read: Reader, left: Left): void {
  const said = read.value("permissions");
  if (said === null || said === true) return;
  if (isObject(said)) {
    // opencode's rules, under the key name of another program.
    if (Object.values(said).some(isObject))
      return readPermissionRules(
        "permissions",
        said,
        (name, word) => [...ruleTools(name, word), ...((word === "allow" ? null : permissionTools(name)) ?? [])],
        left,
      );
    for (const [name, word] of Object.entries(said)) {
      const isAllowed = name === "allow" || everything.has(name === "*" ? name : plain(name)) || wordOf(word) === "allow";
      if (isAllowed) continue;
      const listed = name === "deny" || name === "ask" ? textsOf(word) : null;
      if (listed !== null) {
        const tools = listed.flatMap((one) => [...deniedTools(one), ...(permissionTools(one) ?? [])]);
        if (name === "deny") left.without(tools);
        else left.revoked = [...left.revoked, ...tools];
        continue;
      }
      const tools = permissionTools(name);
      const meant = wordOf(word);
      if (tools === null || meant === null) left.nothing("permissions", "true or false for each permission");
      else if (meant === "deny") left.without(tools);
      else left.revoked = [...left.revoked, ...tools];
    }
    return;
  }
  const names = typeof said === "string" || Array.isArray(said) ? read.list("permissions") : null;
  if (names === null) return left.nothing("permissions", "a list of permissions, or true or false for each");
  if (names.length === 1 && wordOf(names[0]) === "deny") return void (left.tools = []);
  if (names.some((name) => everything.has(name === "*" ? name : plain(name)))) return;
  const given = names.flatMap((name) => permissionTools(name) ?? []);
  const always: readonly AgentTool[] = [...reading, ...editing];
  const isReading = names.length > 0 && names.every((name) => ["read", "readonly", "readall"].includes(plain(name)));
  left.only(isReading ? reading : [...always, ...given.filter((tool) => tool !== "run_command" || names.some(isCommand))]);
}

const isCommand = (name: string): boolean => actionTools(name).includes("run_command");

function textsOf(said: unknown): string[] | null {
  return Array.isArray(said) ? said.filter((one) => typeof one === "string") : typeof said === "string" ? [said] : null;
}

/** The path patterns that a file lists. Null means no restriction. A pattern that can't be read allows no file. */
function readPatterns(key: "reads" | "writes", read: Reader, left: Left, unused: { key: string; why: string }[]): string[] | null {
  const said = read.value(key);
  if (said === null || said === true) return null;
  if (said === false) return [];
  const all = read.list(key);
  if (all === null) {
    left.nothing(key, "a list of paths, such as artifacts/**");
    return [];
  }
  if (all.some((one) => /^(?:\.\/|\/)?\*\*(?:\/\*)?$/.test(one))) return null;
  return all.flatMap((one) => {
    const pattern = one.replace(/^(?:\.\/|\/)+/, "").replace(/\/$/, "/**");
    if (isPathPattern(pattern)) return [pattern];
    unused.push({ key: `${key}: ${one}`, why: "Expected a path of letters, digits, and * . _ - / only." });
    return [];
  });
}

/**
 * Reads rules by tool. A later rule overrides an earlier one, but only what `*` denies can be allowed again: `{"*": deny, read: allow}` is an
 * agent that reads.
 */
function readRules(rules: Readonly<Record<string, unknown>>, meaning: Meaning) {
  const words = new Map<AgentTool, Word>();
  const denied = new Set<AgentTool>();
  const unread: string[] = [];
  for (const [name, said] of Object.entries(rules)) {
    const word = isObject(said) ? wordOfMany(said) : wordOf(said);
    if (word === null) {
      unread.push(name);
      continue;
    }
    for (const tool of meaning(name, word)) {
      // A rule about some patterns leaves the rest denied by `*`.
      if (isObject(said) && words.get(tool) === "deny" && !Object.keys(said).some(isRest)) continue;
      words.set(tool, word);
      if (word === "deny" && !name.includes("*")) denied.add(tool);
    }
  }
  const are = (what: Word) => agentTools.filter((tool) => words.get(tool) === what);
  return { denied: agentTools.filter((tool) => denied.has(tool) || words.get(tool) === "deny"), asking: are("ask"), unread };
}

/** Whether the pattern means all commands or files. */
const isRest = (pattern: string): boolean => /^[*/]*$/.test(pattern.trim());

/**
 * The word for an object with rules by pattern. If it denies the rest, everything is denied, because Vibey can't allow only some. Otherwise
 * everything needs approval.
 */
function wordOfMany(said: Readonly<Record<string, unknown>>): Word {
  const deniesRest = Object.entries(said).some(([name, word]) => isRest(name) && wordOf(word) !== "allow" && wordOf(word) !== "ask");
  return deniesRest ? "deny" : "ask";
}
