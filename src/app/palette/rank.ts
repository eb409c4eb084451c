/** How well a name matches the typed text: whole words first, then beginnings of words, then letters in order. Pure. */

/** The text used for comparison: lower case, without accents. */
export const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The score of a folded name for a folded query; 0: no match, higher is better. Every word of the query has to match. */
export function score(name: string, query: string): number {
  const words = query.split(/\s+/u).filter((word) => word !== "");
  let total = 1;
  for (const word of words) {
    const found = scoreWord(name, word);
    if (found === 0) return 0;
    total += found;
  }
  // Of two equal matches, the shorter name is closer to the query.
  return words.length === 0 ? 1 : total - Math.min(name.length, 500) / 1_000;
}

function scoreWord(name: string, word: string): number {
  const at = name.indexOf(word);
  if (at === 0) return 8;
  if (at < 0) return inOrder(name, word) ? 1 : 0;
  return beginsWord(name, word, at) ? 6 : 4;
}

/** Whether the text is at the beginning of a word, at `at` or later. */
function beginsWord(name: string, word: string, at: number): boolean {
  for (let found = at; found > 0; found = name.indexOf(word, found + 1)) {
    if (!/[\p{L}\p{N}]/u.test(name.charAt(found - 1))) return true;
  }
  return false;
}

function inOrder(name: string, word: string): boolean {
  let from = 0;
  for (const letter of word) {
    const at = name.indexOf(letter, from);
    if (at < 0) return false;
    from = at + letter.length;
  }
  return true;
}

/** The best `most` items, the best one first. Equal matches keep their order. */
export function best<T extends { readonly folded: string }>(items: readonly T[], query: string, most: number): readonly T[] {
  const wanted = folded(query.trim());
  if (wanted === "") return items.slice(0, most);
  return items
    .map((item) => ({ item, score: score(item.folded, wanted) }))
    .filter((ranked) => ranked.score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ item }) => item);
}
