import { stringify } from "yaml";
import { isForeignAgent } from "../../../protocol/foreign-files.ts";
import { slugPattern } from "../definition.ts";
import { readFrontMatter } from "../front-matter.ts";
import { isKnownKey, toSlug } from "../read-definition.ts";
import { splitFrontMatter } from "../split.ts";
import type { OfferedFile, OpenPlan } from "./model.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The maximum length of a file that is read, in UTF-16 units. */
const longest = 200_000;
/** The maximum number of agents in one file. */
const most = 100;

const isFields = (said: unknown): said is Fields => typeof said === "object" && said !== null && !Array.isArray(said);
const isText = (said: unknown): said is string => typeof said === "string" && said.trim() !== "";

/** Whether the path is opencode's configuration. */
export const isOpenCode = (path: string): boolean => /(?:^|\/)opencode\.jsonc?$/i.test(path);

/** An agent's own file next to the configuration: `.opencode/agent/plan.md`. */
interface OwnFile {
  readonly name: string;
  readonly file: OfferedFile;
}

/**
 * Imports the agents in opencode's configuration, from its key `agent`, by name. Each gets a file with its keys and with what the configuration
 * denies to all agents. If an agent also has a Markdown file, the two are merged, and the Markdown file takes precedence, as in opencode. Returns
 * the files that need no plan of their own: prompts, and merged Markdown files.
 */
export function planOpenCode({ path, text }: OfferedFile, files: readonly OfferedFile[], plan: OpenPlan): readonly OfferedFile[] {
  const done: OfferedFile[] = [];
  const unused = (place: string, why: string) => void plan.unused.push({ path: place, why });
  const all = text.length > longest ? null : parse(text);
  if (!isFields(all)) {
    unused(
      path,
      text.length > longest ? `The file is longer than ${longest.toLocaleString("en-US")} characters.` : "It can't be read as JSON.",
    );
    return done;
  }
  const named = new Map(isFields(all["agent"]) ? Object.entries(all["agent"]) : []);
  const own = ownFiles(path, files);
  if (named.size === 0 && own.length === 0) unused(path, "It has no agents: expected `agent` with a key for each.");
  if (named.size > most) unused(path, `Only the first ${most} agents were read.`);
  /** Rules for all agents are written to each file. */
  const shared = unitsOf({ permission: all["permission"], tools: all["tools"] });
  const byPath = new Map(files.toReversed().map((file) => [file.path, file]));
  for (const { name, file } of own) {
    const given = named.get(name);
    const said = isFields(given) ? given : {};
    named.delete(name);
    const { block } = splitFrontMatter(file.text);
    const { prompt: _prompt, ...keys } = said;
    const yaml = isMerged(said, all) ? (block === null ? 0 : block.to - block.from) + shared + unitsOf(keys) : 0;
    if (yaml > plan.yamlLeft) {
      // Without the rules that deny something, the agent could do more than in opencode.
      done.push(file);
      unused(
        file.path,
        "The files before it hold as much YAML as one import reads. Import it with its configuration and fewer other files.",
      );
      continue;
    }
    plan.yamlLeft -= yaml;
    const merged = mergedFile(file, said, all);
    if (merged === null)
      unused(`${path}: ${name}`, `It isn't in ${file.path}, which can't be read as opencode reads it. Add there what it must not do.`);
    if (merged === null || merged === file.text) continue;
    done.push(file);
    const target = isForeignAgent(file.path) ? file.path : `agents/${toSlug(name)}.md`;
    plan.writes.push({ path: target, text: merged, from: file.path });
  }
  for (const [name, said] of [...named].slice(0, most)) {
    const place = `${path}: ${name}`;
    const slug = toSlug(name);
    const { prompt, ...fields } = isFields(said) ? said : {};
    const file = isText(prompt) ? fileOf(prompt, path) : null;
    const from = file === null ? undefined : byPath.get(file);
    const body = from !== undefined ? splitFrontMatter(from.text).body : file === null && isText(prompt) ? prompt.trim() : "";
    if (from !== undefined && !isForeignAgent(from.path)) done.push(from);
    if (name.startsWith("_") || !slugPattern.test(slug)) unused(place, "Names that start with _ are reserved for Vibey's built-in agents.");
    else if (file !== null && body === "") unused(place, `Its prompt is in ${file}, which isn't among the files.`);
    else if (body === "") unused(place, "It has no prompt.");
    else if (shared + unitsOf(fields) > plan.yamlLeft)
      unused(place, "What is before it makes as much YAML as one import writes. Import it with fewer other agents.");
    else {
      plan.yamlLeft -= shared + unitsOf(fields);
      const keys = { name: slug, ...(name === slug ? {} : { display_name: name }), ...narrowedFields(all, fields) };
      plan.writes.push({ path: `agents/${slug}.md`, text: printed(keys, body), from: place });
    }
  }
  return done;
}

/** The approximate length of the YAML, in UTF-16 units. */
const unitsOf = (said: Fields): number => JSON.stringify(said).length;

const printed = (keys: Fields, body: string): string => `---\n${stringify(keys, { lineWidth: 0 })}---\n\n${body}\n`;
const narrowedFields = (all: Fields, own: Fields): Fields => ({
  ...own,
  ...narrowed("permission", all, own),
  ...narrowed("tools", all, own),
});

/** The Markdown files of agents that belong to a configuration. If two have the same name, the first is used. */
function ownFiles(config: string, files: readonly OfferedFile[]): readonly OwnFile[] {
  const outer = config.slice(0, config.lastIndexOf("/") + 1);
  const found = new Map<string, OwnFile>();
  for (const file of files) {
    const [, name] = file.path.startsWith(outer) ? (/(?:^|\/)\.?opencode\/agents?\/(.+)\.md$/i.exec(file.path) ?? []) : [];
    if (name !== undefined && !found.has(name)) found.set(name, { name, file });
  }
  return [...found.values()];
}

/** Whether the configuration has rules for this agent (`said`) or for all agents. */
const isMerged = (said: Fields, all: Fields): boolean =>
  Object.keys(said).length > 0 || all["permission"] !== undefined || all["tools"] !== undefined;

/**
 * The file of an agent, merged with what the configuration says about it (`said`) and denies to all agents. If there is nothing to merge, its own
 * text. Null if the file's restrictions can't be read, so nothing is added.
 */
function mergedFile(file: OfferedFile, said: Fields, all: Fields): string | null {
  const { prompt, ...fields } = said;
  if (!isMerged(said, all)) return file.text;
  const { entries, isUnclear, hidden, body } = readFrontMatter(file.text, isKnownKey);
  // Writing out a restricting key that can't be read would turn it into a different, readable one. Descriptions often aren't YAML, but they
  // restrict nothing.
  const isRead = [...entries].every(([key, { isRaw, isTwice }]) => !isTwice && (!isRaw || key === "description"));
  // A list of tools isn't opencode's format, and has no place for rules that deny tools to all agents.
  const tools = entries.get("tools")?.value ?? null;
  const isMapping = tools === null || isFields(tools);
  if (isUnclear || hidden.length > 0 || !isRead || !isMapping) return null;
  const own = Object.fromEntries([...entries].map(([key, { value }]) => [key, value] as const));
  const keys = narrowedFields(all, { ...fields, ...own, ...narrowed("permission", fields, own), ...narrowed("tools", fields, own) });
  return printed(keys, body.trim() === "" && isText(prompt) && fileOf(prompt, "") === null ? prompt.trim() : body.trim());
}

/** Combines the rules for all agents with the agent's own rules. The agent's own rules take precedence. */
function narrowed(key: "permission" | "tools", all: Fields, own: Fields): Fields {
  const [outer, inner] = [all[key], own[key]].map((said) => (typeof said === "string" ? { "*": said } : said));
  if (outer === undefined) return {};
  if (!isFields(outer) || (inner !== undefined && !isFields(inner))) return { [key]: inner ?? outer };
  const both = Object.entries(inner ?? {}).map(([name, rule]) => {
    const before = Object.hasOwn(outer, name) ? outer[name] : undefined;
    return [name, isFields(rule) && before !== undefined ? { ...(isFields(before) ? before : { "*": before }), ...rule } : rule] as const;
  });
  return { [key]: { ...outer, ...Object.fromEntries(both) } };
}

/** The path in `{file:./prompts/x.txt}`, relative to the configuration. Null if it is a prompt. */
function fileOf(prompt: string, config: string): string | null {
  const [, named] = /^\{file:([^{}]+)\}$/.exec(prompt.trim()) ?? [];
  if (named === undefined) return null;
  const parts = config.split("/").slice(0, -1);
  for (const part of named.trim().split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** Whether the value is nested no deeper than the reader of the written file accepts. */
function isShallow(said: unknown, levels = 40): boolean {
  return typeof said !== "object" || said === null || (levels > 0 && Object.values(said).every((one) => isShallow(one, levels - 1)));
}

/**
 * Parses JSON that may have comments and trailing commas. Null if it isn't JSON or is nested too deeply. An unclosed string or comment is read to
 * the place where it could end, so that no text is scanned twice.
 */
function parse(text: string): unknown {
  const plain = text
    .replace(/^\uFEFF/, "")
    .replaceAll(/("(?:\\.|[^"\\\n])*"?)|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g, "$1")
    .replaceAll(/("(?:\\.|[^"\\\n])*"?)|,(?=\s*[}\]])/g, "$1");
  try {
    const said: unknown = JSON.parse(plain);
    return isShallow(said) ? said : null;
  } catch {
    // The caller reports the error.
    return null;
  }
}
