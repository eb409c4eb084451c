import { isNode } from "./script-nodes.ts";

/** Whether this is `"${name:-default}"`, also with `-`, `+` or `=`, except what may expand to any number of words. */
export function isQuotedDefault(parts: readonly unknown[]): boolean {
  const [quoted, more] = parts;
  if (more !== undefined || !isNode(quoted) || quoted["type"] !== "DoubleQuoted" || !Array.isArray(quoted["parts"])) return false;
  const [part, another]: unknown[] = quoted["parts"];
  if (another !== undefined || !isNode(part) || part["type"] !== "ParameterExpansion" || !isNode(part["operation"])) return false;
  return ["DefaultValue", "AssignDefault", "UseAlternative"].includes(String(part["operation"]["type"])) && !mayBeMany(part);
}

/** Whether this is `"${1+"$@"}"`, an old form of `"$@"`, which just-bash takes for one word. */
export function isGivenParameters(parts: readonly unknown[]): boolean {
  const [part, more] = parts;
  if (more !== undefined || !isNode(part)) return false;
  if (part["type"] === "DoubleQuoted" && Array.isArray(part["parts"])) return isGivenParameters(part["parts"]);
  const { operation } = part;
  if (part["type"] !== "ParameterExpansion" || !/^[1@]$/.test(String(part["parameter"]))) return false;
  if (!isNode(operation) || operation["type"] !== "UseAlternative" || operation["checkEmpty"] === true) return false;
  return isAllParameters(operation["word"]);
}

function mayBeMany(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(mayBeMany);
  if (!isNode(node)) return false;
  return /^[@*]$|\[[@*]\]$/.test(typeof node["parameter"] === "string" ? node["parameter"] : "") || Object.values(node).some(mayBeMany);
}

function isAllParameters(node: unknown): boolean {
  if (!isNode(node) || !Array.isArray(node["parts"]) || node["parts"].length !== 1) return false;
  const part: unknown = node["parts"][0];
  if (!isNode(part)) return false;
  return part["type"] === "DoubleQuoted" ? isAllParameters(part) : part["parameter"] === "@" && part["operation"] === null;
}
