/** Splits the blocks of a text into parts that are small enough to be turned into nodes without a noticeable pause. */
import type { MarkedToken, Token, Tokens } from "marked";
import { hasHeap } from "./long-text.ts";

/** A part that shows as written. */
export interface PlainPart {
  readonly type: "plain";
  readonly raw: string;
}
export type Part = Token | PlainPart;

/** List items or table rows in one part. */
const longest = 50;
/** The maximum number of tokens in a part. `unitsOfToken` UTF-16 units count as another token, because nested tokens contain the same text again. */
const maxTokens = 3_000;
/** UTF-16 units of a paragraph, or of anything else that is laid out as a unit. */
const maxTextLength = 8_192;
const unitsOfToken = 64;

export function partsOf(tokens: readonly Token[]): Part[] {
  return tokens
    .filter(({ type }) => type !== "space")
    .flatMap(cut)
    .map((part) => (isLight(part) ? part : { type: "plain" as const, raw: part.raw }));
}

function cut(token: Token): Token[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kinds of `marked` have these types.
  const known = token as MarkedToken;
  if (known.type === "list" && known.items.length > longest) return cutList(known);
  if (known.type === "table" && known.rows.length > longest) return cutTable(known);
  return [token];
}

function cutList(list: Tokens.List): Tokens.List[] {
  const parts: Tokens.List[] = [];
  let rest = list.raw;
  for (let at = 0; at < list.items.length; at += longest) {
    const items = list.items.slice(at, at + longest);
    const length = items.reduce((sum, { raw }) => sum + raw.length, 0);
    const raw = at + longest < list.items.length ? rest.slice(0, length) : rest;
    parts.push({ ...list, raw, items, start: list.start === "" ? "" : list.start + at });
    rest = rest.slice(raw.length);
  }
  return parts;
}

const headLines = 2;

/** Each part has the head of the table. */
function cutTable(table: Tokens.Table): Tokens.Table[] {
  const parts: Tokens.Table[] = [];
  let from = 0;
  for (let at = 0; at < table.rows.length; at += longest) {
    const isLast = at + longest >= table.rows.length;
    let to = isLast ? table.raw.length : from;
    const lines = isLast ? 0 : longest + (at === 0 ? headLines : 0);
    for (let line = 0; line < lines; line += 1) to = table.raw.indexOf("\n", to) + 1;
    parts.push({ ...table, raw: table.raw.slice(from, to), rows: table.rows.slice(at, at + longest) });
    from = to;
  }
  return parts;
}

/** Whether a part has few enough tokens. The length of a code block doesn't matter: long code is folded. */
function isLight(part: Token): boolean {
  let weight = 0;
  const open: unknown[] = [part];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) for (const each of next) open.push(each);
    if (typeof next !== "object" || next === null || Array.isArray(next)) continue;
    if ("raw" in next && typeof next.raw === "string" && !("type" in next && next.type === "code"))
      weight += 1 + next.raw.length / unitsOfToken;
    if (weight > maxTokens || isLong(next)) return false;
    for (const key of ["tokens", "items", "header", "rows"] as const) if (key in next) open.push(Reflect.get(next, key));
  }
  return true;
}

const isLong = (token: object): boolean =>
  "type" in token &&
  "raw" in token &&
  typeof token.raw === "string" &&
  texts.has(token.type) &&
  (token.raw.length > maxTextLength || hasHeap(token.raw));
const texts: ReadonlySet<unknown> = new Set(["paragraph", "text", "heading", "html", "codespan", "link", "image"]);
