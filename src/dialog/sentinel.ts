import { hostGrants, type HostWord, isHost, isToolName } from "./ids.ts";
import { isMeantAsPattern, isPattern } from "./pattern.ts";

/**
 * Parses the texts of a user's decisions and authorizations: the lines between two `əəə` lines, or all lines if there is no `əəə`. Skips blank lines,
 * lines that start with `#` and unknown lines. Of two lines about the same thing the last one counts. Only names are case-sensitive.
 */
const SENTINEL = "əəə";
const DECISION = /^([A-Za-z0-9_-]{1,128})[ \t]*:[ \t]*(approve|deny)$/i;
const HOST_WORD = /^(\S{1,253}?)(?:[ \t]+([0-9a-f]{16}))?[ \t]*:[ \t]+(refuse|[A-Za-z][A-Za-z ,]{1,40})$/;
const AUTHORIZATION = /^(allow|deny)[ \t]+(\S.*)$/i;

/** Parses `<call id>: approve` and `<call id>: deny`. */
export function parseDecisions(text: string): ReadonlyMap<string, "approve" | "deny"> {
  const decisions = new Map<string, "approve" | "deny">();
  for (const line of sentinelLines(text)) {
    const [, id, word] = DECISION.exec(line) ?? [];
    if (id !== undefined && word !== undefined) decisions.set(id, word.toLowerCase() === "approve" ? "approve" : "deny");
  }
  return decisions;
}

/**
 * Parses `allow <tool name>` and `deny <tool name>`, and the same with a pattern, such as `allow command npm test *`. The last line about a name
 * counts, and the map has it at that line's position.
 */
export function parseAuthorizations(text: string): ReadonlyMap<string, "allow" | "deny"> {
  const authorizations = new Map<string, "allow" | "deny">();
  for (const { word, what } of authorizationLines(text)) {
    if (!isToolName(what) && !isPattern(what)) continue;
    authorizations.delete(what);
    authorizations.set(what, word);
  }
  return authorizations;
}

/** Texts that were meant as a pattern but are invalid, in order. */
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

/** Parses `<host>: <word>` and `<host>: refuse`. The id of the question that it answers may follow the host. */
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
