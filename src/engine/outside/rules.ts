import { isJsonObject, stringifyJson } from "../../dialog/json.ts";
import type { Json, JsonObject } from "../../dialog/model.ts";

/** The rules that an agent suggests for always, each as it reads: what the user sees is all that is handed back. */
export function ruleTexts(suggestions: Json): string[] {
  const all = isList(suggestions) ? suggestions : [suggestions];
  return all.flatMap((one) => (isJsonObject(one) ? (plainRules(one) ?? [stringifyJson(one)]) : [stringifyJson(one)]));
}

/** `allow Bash(npm test:*) in localSettings`; null: it says something else, too. */
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
