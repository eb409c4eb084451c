import type { Token } from "marked";
import { lex, type Links } from "./lex.ts";
import { type Part, partsOf } from "./parts.ts";

export type Reading =
  | {
      readonly kind: "read";
      readonly parts: readonly Part[];
      /** The number of parts that more text at the end can't change, and the UTF-16 units up to there. */
      readonly final: { readonly parts: number; readonly units: number };
      readonly links: Links;
    }
  | { readonly kind: "late" | "deep" };

/**
 * Only the last two blocks of a growing text can still change: a list may continue, a line may become a heading. Everything before them is final.
 * (Two, not one: with one, 34 of 4,000 random documents came out differently.) What is before an opened fence at the start of a line has ended.
 */
const openBlocks = (last: Token | undefined): number => (last?.type === "code" && /^(?:```|~~~)/.test(last.raw) ? 1 : 2);

/** Parses Markdown into parts. `until`: the time of `performance.now()` at which parsing is given up. */
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

/** Parts of a long list that can still change, or that decide whether its items are paragraphs. */
const openParts = 2;

/**
 * Whether a list has so many items that the first of them are final. A numbered list is read as a whole, because its numbers count from its first
 * item.
 */
const isLongList = (token: Token): boolean =>
  token.type === "list" && "ordered" in token && token.ordered === false && partsOf([token]).length > openParts;
