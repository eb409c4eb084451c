import { hostGrants, type HostWord, isHost, isToolName } from "./ids.ts";
import { isMeantAsPattern, isPattern } from "./pattern.ts";

/**
 * The texts of a human's decisions and authorizations: lines between two `əəə` lines, which may be missing. Blank lines, lines that start
 * with `#` and lines that say nothing known are skipped; of two lines about the same the last one counts. Case matters in names alone.
 */
const SENTINEL = "əəə";
const DECISION = /^([A-Za-z0-9_-]{1,128})[ \t]*:[ \t]*(approve|deny)$/i;
const HOST_WORD = /^(\S{1,253}?)(?:[ \t]+([0-9a-f]{16}))?[ \t]*:[ \t]+(refuse|[A-Za-z][A-Za-z ,]{1,40})$/;
const AUTHORIZATION = /^(allow|deny)[ \t]+(\S.*)$/i;

/** `<call id>: approve` or `<call id>: deny`. */
export function parseDecisions(text: string): ReadonlyMap<string, "approve" | "deny"> {
  const decisions = new Map<string, "approve" | "deny">();
  for (const line of sentinelLines(text)) {
    const [, id, word] = DECISION.exec(line) ?? [];
    if (id !== undefined && word !== undefined) decisions.set(id, word.toLowerCase() === "approve" ? "approve" : "deny");
  }
  return decisions;
}

/** `allow <tool name>` or `deny <tool name>`, and the same with a pattern, such as `allow command npm test *`. The last line about one counts, and comes last. */
export function parseAuthorizations(text: string): ReadonlyMap<string, "allow" | "deny"> {
  const authorizations = new Map<string, "allow" | "deny">();
  for (const { word, what } of authorizationLines(text)) {
    if (!isToolName(what) && !isPattern(what)) continue;
    authorizations.delete(what);
    authorizations.set(what, word);
  }
  return authorizations;
}

/** What is meant as a pattern in such a text and is none, in its order. */
export function brokenPatterns(text: string): string[] {
  return authorizationLines(text).flatMap(({ what }) => (isMeantAsPattern(what) && !isPattern(what) ? [what] : []));
}

function authorizationLines(text: string): { readonly word: "allow" | "deny"; readonly what: string }[] {
  return sentinelLines(text).flatMap((line) => {
    const [, said, what] = AUTHORIZATION.exec(line) ?? [];
    if (said === undefined || what === undefined) return [];
    return [{ word: said.toLowerCase() === "allow" ? "allow" : "deny", what }];
  });
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
