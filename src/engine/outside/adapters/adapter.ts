import type { ToolCategory } from "../../../dialog/outside.ts";
import type { Raw } from "../event.ts";

/** Converts the events of one framework to events of the universal protocol. The results are checked like any incoming event. */
export interface EventAdapter {
  readonly name: string;
  canHandle(raw: Raw): boolean;
  categorize(toolName: string): ToolCategory;
  /** Null: the event says nothing. `_alsoEmit`: additional events. */
  normalize(raw: Raw): Raw | null;
}

/** Guesses the category from the tool's name, because nothing else is known about plug-in tools. */
export function guessCategory(toolName: string): ToolCategory {
  const words = toolName.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  const found = guesses.find(([pattern]) => pattern.test(words));
  return found?.[1] ?? "other";
}

const guesses: readonly (readonly [RegExp, ToolCategory])[] = [
  [/(?<![a-z])(?:fetch|http|url|browse|navigate|web|download|api)/, "network"],
  [/(?<![a-z])(?:search|find|query|grep|glob)/, "search"],
  [/(?<![a-z])(?:edit|update|patch|replace|modify|delete|remove|move)/, "edit"],
  [/(?<![a-z])(?:write|create|add|insert|upload|save)/, "write"],
  [/(?<![a-z])(?:run|exec|shell|bash|command|terminal|eval|python)/, "execute"],
  [/(?<![a-z])(?:task|agent|delegate|spawn)/, "delegate"],
  [/(?<![a-z])(?:todo|plan)/, "plan"],
  [/(?<![a-z])(?:ask|question|prompt|input)/, "interact"],
  [/(?<![a-z])(?:read|get|list|view|open|show|load|cat)/, "read"],
];

/** The first of these fields that is a text and not empty. */
export function firstText(raw: Raw, ...fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = Object.hasOwn(raw, field) ? raw[field] : undefined;
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** A few words about what a tool works on. */
export function contextOf(input: Raw | undefined): string | undefined {
  if (input === undefined) return undefined;
  const path = firstText(input, "file_path", "filePath", "notebook_path", "path") ?? patchedFile(input);
  const about = firstText(input, "command", "cmd", "pattern", "query", "url", "description", "prompt");
  if (
    patchedFile(input) === undefined &&
    about !== undefined &&
    (path === undefined || firstText(input, "command", "pattern", "query", "url") !== undefined)
  )
    return firstLine(about);
  return path === undefined ? undefined : path.split(/[\\/]/).findLast((step) => step !== "");
}

/** The first file of a patch. Codex's `apply_patch` has the patch as its command. */
const patchedFile = (input: Raw): string | undefined =>
  /^\*\*\* Begin Patch\s*\n\*\*\* (?:Add|Update|Delete) File: (.+)/.exec(firstText(input, "command") ?? "")?.[1]?.trim();

const firstLine = (text: string): string => (text.trimStart().split("\n", 1)[0] ?? "").slice(0, 200);
