import { hostGrants, type HostWord, isHost } from "./ids.ts";

/**
 * The texts of a human's decisions and authorizations: lines between two `əəə` lines, which may be missing. Blank lines, lines that start
 * with `#` and lines that say nothing known are skipped; of two lines about the same the last one counts. Case matters in names alone.
 */
const SENTINEL = "əəə";
const DECISION = /^([A-Za-z0-9_-]{1,128})[ \t]*:[ \t]*(approve|deny)$/i;
const HOST_WORD = /^(\S{1,253}?)(?:[ \t]+([0-9a-f]{16}))?[ \t]*:[ \t]+(refuse|[A-Za-z][A-Za-z ,]{1,40})$/;
const AUTHORIZATION = /^(allow|deny)[ \t]+([A-Za-z0-9_-]{1,64})$/i;

/** `<call id>: approve` or `<call id>: deny`. */
export function parseDecisions(text: string): ReadonlyMap<string, "approve" | "deny"> {
  const decisions = new Map<string, "approve" | "deny">();
  for (const line of sentinelLines(text)) {
    const [, id, word] = DECISION.exec(line) ?? [];
    if (id !== undefined && word !== undefined) decisions.set(id, word.toLowerCase() === "approve" ? "approve" : "deny");
  }
  return decisions;
}

/** `allow <tool name>` or `deny <tool name>`. */
export function parseAuthorizations(text: string): ReadonlyMap<string, "allow" | "deny"> {
  const authorizations = new Map<string, "allow" | "deny">();
  for (const line of sentinelLines(text)) {
    const [, word, name] = AUTHORIZATION.exec(line) ?? [];
    if (name !== undefined && word !== undefined) authorizations.set(name, word.toLowerCase() === "allow" ? "allow" : "deny");
  }
  return authorizations;
}

/** `<host>: <word>` or `<host>: refuse`, after the host perhaps the question that it answers. */
export function parseHostWords(text: string): { readonly host: string; readonly word: HostWord; readonly question?: string }[] {
  return sentinelLines(text).flatMap((line) => {
    const [, host, question, said] = HOST_WORD.exec(line) ?? [];
    const word = said === "refuse" ? "refused" : hostGrants.find((one) => one === said);
    if (host === undefined || word === undefined || !isHost(host)) return [];
    return [{ host, word, ...(question === undefined ? {} : { question }) }];
  });
}

function sentinelLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  if (!lines.some(isSentinel)) return lines;
  let inside = false;
  return lines.filter((line) => {
    if (!isSentinel(line)) return inside;
    inside = !inside;
    return false;
  });
}

function isSentinel(line: string): boolean {
  return line.toLowerCase() === SENTINEL;
}
