import type { Token } from "marked";
import { lex, type Links } from "./lex.ts";
import { type Part, partsOf } from "./parts.ts";

export type Reading =
  | {
      readonly kind: "read";
      readonly parts: readonly Part[];
      /** Parts that more text at the end can't change, and the UTF-16 units up to there. */
      readonly final: { readonly parts: number; readonly units: number };
      readonly links: Links;
    }
  | { readonly kind: "late" | "deep" };

/**
 * The last two blocks of a growing text can still change, and only those: a list may continue, a line may become a heading.
 * Everything before them is final. (Two, not one: keeping one changed 34 of 4,000 random documents.) What stands before an opened
 * fence at the start of a line has ended.
 */
const openBlocks = (last: Token | undefined): number => (last?.type === "code" && /^(?:```|~~~)/.test(last.raw) ? 1 : 2);

/** Reads markdown into parts. `until`: the time of `performance.now()` after which it is given up. */
export function read(text: string, until: number, links: Links): Reading {
  const lexed = lex(text, until, links);
  if (lexed.kind !== "lexed") return lexed;
  const { tokens } = lexed;
  const blocks = tokens.filter(({ type }) => type !== "space");
  const last = blocks.at(-1);
  const firstOpen = blocks.at(-openBlocks(last)) ?? blocks[0];
  const long = last !== undefined && isLongList(last) ? last : null;
  const end = long !== null ? tokens.indexOf(long) : firstOpen === undefined ? 0 : tokens.indexOf(firstOpen);
  const before = tokens.slice(0, end);
  const [done, open] = [partsOf(before), partsOf(tokens.slice(end))];
  const items = long === null ? [] : open.slice(0, -openParts);
  const units = [...before, ...items].reduce((sum, { raw }) => sum + raw.length, 0);
  return { kind: "read", parts: [...done, ...open], final: { parts: done.length + items.length, units }, links: lexed.links };
}

/** Parts of a long list that can still change, or may be what tells its last items to be so far apart. */
const openParts = 2;

/** Whether a list has so many items that the first of them are final. One with numbers is read as a whole: it counts from its first item on. */
const isLongList = (token: Token): boolean =>
  token.type === "list" && "ordered" in token && token.ordered === false && partsOf([token]).length > openParts;
