import { isJsonObject, stringifyJson } from "../../dialog/json.ts";
import type { Json, JsonObject } from "../../dialog/model.ts";

/** The permanent rules that an agent suggests, as text. The user must see everything that would be sent back. */
export function ruleTexts(suggestions: Json): string[] {
  const all = isList(suggestions) ? suggestions : [suggestions];
  return all.flatMap((one) => {
    if (typeof one === "string") return [one];
    return isJsonObject(one) ? (plainRules(one) ?? plainSetting(one) ?? [stringifyJson(one)]) : [stringifyJson(one)];
  });
}

/** `use mode acceptEdits in session`, `add directory /app in session`. Null: the suggestion contains something else. */
function plainSetting(suggestion: JsonObject): string[] | null {
  const { type, mode, directories, destination, ...more } = suggestion;
  if (typeof destination !== "string" || Object.keys(more).length > 0) return null;
  if (type === "setMode" && typeof mode === "string" && directories === undefined) return [`use mode ${mode} in ${destination}`];
  if (type !== "addDirectories" || mode !== undefined || !isList(directories) || directories.length === 0) return null;
  const texts = directories.flatMap((one) => (typeof one === "string" ? [`add directory ${one} in ${destination}`] : []));
  return texts.length === directories.length ? texts : null;
}

/** `allow Bash(npm test:*) in localSettings`. Null: the suggestion contains something else. */
function plainRules(suggestion: JsonObject): string[] | null {
  const { type, rules, behavior, destination, ...more } = suggestion;
  if (type !== "addRules" || !isList(rules) || rules.length === 0 || Object.keys(more).length > 0) return null;
  if (typeof behavior !== "string" || typeof destination !== "string") return null;
  const texts: string[] = [];
  for (const rule of rules) {
    if (!isJsonObject(rule)) return null;
    const { toolName, ruleContent, ...rest } = rule;
    if (typeof toolName !== "string" || Object.keys(rest).length > 0) return null;
    if (ruleContent !== undefined && typeof ruleContent !== "string") return null;
    texts.push(`${behavior} ${toolName}${ruleContent === undefined ? "" : `(${ruleContent})`} in ${destination}`);
  }
  return texts;
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
