import { stringify } from "yaml";
import { slugPattern } from "../definition.ts";
import { toSlug } from "../read-definition.ts";
import { splitFrontMatter } from "../split.ts";
import type { OfferedFile, OpenPlan } from "./model.ts";

type Fields = Readonly<Record<string, unknown>>;

/** UTF-16 units of a file that is read. */
const longest = 200_000;
/** Agents of one file. */
const most = 100;

const isFields = (said: unknown): said is Fields => typeof said === "object" && said !== null && !Array.isArray(said);
const isText = (said: unknown): said is string => typeof said === "string" && said.trim() !== "";

/** The configuration of opencode. */
export const isOpenCode = (path: string): boolean => /(?:^|\/)opencode\.jsonc?$/i.test(path);

/**
 * Agents in the configuration of opencode: `agent`, by name. One file for each, which keeps its keys and what the configuration denies to all. Gives the
 * other files that are their prompts.
 */
export function planOpenCode({ path, text }: OfferedFile, files: readonly OfferedFile[], plan: OpenPlan): readonly OfferedFile[] {
  const prompts: OfferedFile[] = [];
  const unused = (place: string, why: string) => void plan.unused.push({ path: place, why });
  const all = text.length > longest ? null : parse(text);
  if (!isFields(all)) {
    unused(
      path,
      text.length > longest ? `The file is longer than ${longest.toLocaleString("en-US")} characters.` : "It can't be read as JSON.",
    );
    return prompts;
  }
  const named = isFields(all["agent"]) ? Object.entries(all["agent"]) : [];
  if (named.length === 0) unused(path, "It has no agents: expected `agent` with a key for each.");
  if (named.length > most) unused(path, `Only the first ${most} agents were read.`);
  for (const [name, said] of named.slice(0, most)) {
    const place = `${path}: ${name}`;
    const slug = toSlug(name);
    const { prompt, ...fields } = isFields(said) ? said : {};
    const file = isText(prompt) ? fileOf(prompt, path) : null;
    const from = file === null ? undefined : files.find((one) => one.path === file);
    const body = from !== undefined ? splitFrontMatter(from.text).body : file === null && isText(prompt) ? prompt.trim() : "";
    if (from !== undefined) prompts.push(from);
    if (name.startsWith("_") || !slugPattern.test(slug)) unused(place, "Names that start with _ are reserved for Vibey's built-in agents.");
    else if (file !== null && body === "") unused(place, `Its prompt is in ${file}, which isn't among the files.`);
    else if (body === "") unused(place, withoutPrompt(name, path, files));
    else {
      const keys = {
        name: slug,
        ...(name === slug ? {} : { display_name: name }),
        ...fields,
        ...narrowed("permission", all, fields),
        ...narrowed("tools", all, fields),
      };
      plan.writes.push({ path: `agents/${slug}.md`, text: `---\n${stringify(keys, { lineWidth: 0 })}---\n\n${body}\n`, from: place });
    }
  }
  return prompts;
}

/** In opencode, a Markdown file can have the prompt of an agent that the configuration has keys for. */
function withoutPrompt(name: string, config: string, files: readonly OfferedFile[]): string {
  const ends = ["agent", "agents"].map((folder) => `opencode/${folder}/${name}.md`.toLowerCase());
  const outer = config.slice(0, config.lastIndexOf("/") + 1);
  const file = files.find(({ path }) => path.startsWith(outer) && ends.some((end) => path.toLowerCase().endsWith(end)));
  return file === undefined
    ? "It has no prompt."
    : `Its prompt is in ${file.path}, which is imported without what stands here. Add there what it must not do.`;
}

/** What all agents are denied, and what this one is: its own rules count where both have one, and leave the rest. */
function narrowed(key: "permission" | "tools", all: Fields, own: Fields): Fields {
  const [outer, inner] = [all[key], own[key]].map((said) => (typeof said === "string" ? { "*": said } : said));
  if (outer === undefined) return {};
  if (!isFields(outer) || (inner !== undefined && !isFields(inner))) return { [key]: inner ?? outer };
  const both = Object.entries(inner ?? {}).map(([name, rule]) => {
    const before = outer[name];
    return [name, isFields(rule) && before !== undefined ? { ...(isFields(before) ? before : { "*": before }), ...rule } : rule] as const;
  });
  return { [key]: { ...outer, ...Object.fromEntries(both) } };
}

/** The path in `{file:./prompts/x.txt}`, which is relative to the configuration; null: it is a prompt. */
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

/** JSON that may have comments, and commas at the ends of lists; null: it is none. */
function parse(text: string): unknown {
  const plain = text
    .replace(/^\uFEFF/, "")
    .replaceAll(/("(?:\\.|[^"\\\n])*")|\/\/[^\n]*|\/\*[^]*?\*\//g, "$1")
    .replaceAll(/("(?:\\.|[^"\\\n])*")|,(?=\s*[}\]])/g, "$1");
  try {
    return JSON.parse(plain);
  } catch {
    // The caller says so.
    return null;
  }
}
