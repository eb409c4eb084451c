/** The engine refuses what has less. */
const least = { characters: 12, different: 6 } as const;
const long = 20;

/** What a person has to know of the passphrase that they are typing; `ok`: the engine would take it. */
export function passphraseHint(typed: string): { readonly ok: boolean; readonly words: string } {
  const characters = Array.from(typed.normalize("NFKC"));
  if (characters.length === 0)
    return {
      ok: false,
      words: `At least ${least.characters} characters. Four or five words that have nothing to do with each other are good.`,
    };
  if (characters.length < least.characters) return { ok: false, words: `Too short: ${least.characters - characters.length} more to go.` };
  if (new Set(characters).size < least.different) return { ok: false, words: "Too much of the same: use more different characters." };
  if (characters.length < long)
    return { ok: true, words: "Enough, if nobody can guess it. Longer is safer: whoever copies it can try many a second." };
  return { ok: true, words: "Long enough, unless it is a known phrase or a quotation." };
}
