import * as t from "../texts/passphrase.ts";

/** The engine refuses weaker passphrases. */
const least = { characters: 12, different: 6 } as const;
const long = 20;

/** A hint about the passphrase being typed. `ok`: the engine would accept it. */
export function passphraseHint(typed: string): { readonly ok: boolean; readonly words: string } {
  const characters = Array.from(typed.normalize("NFKC"));
  if (characters.length === 0)
    return {
      ok: false,
      words: t.atLeast(least.characters),
    };
  if (characters.length < least.characters) return { ok: false, words: t.tooShort(least.characters - characters.length) };
  if (new Set(characters).size < least.different) return { ok: false, words: t.tooMuchSame };
  if (characters.length < long) return { ok: true, words: t.enough };
  return { ok: true, words: t.longEnough };
}
