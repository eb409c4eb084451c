export type Key = { readonly ok: true; readonly key: string } | { readonly ok: false; readonly message: string };

/**
 * Reads a key as people paste it. Removes white space, including line breaks in the middle, because no key contains any. Rejects characters
 * that a header can't carry, because the error that `fetch` throws for them tells the user nothing.
 */
export function readKey(pasted: string): Key {
  const key = pasted.replace(/\s+/g, "");
  if (/^[\x21-\x7e]*$/.test(key)) return { ok: true, key };
  return {
    ok: false,
    message: "The API key contains an invalid character, such as a curly quote or an invisible one. Copy it again.",
  };
}

const removed = "[key removed]";

/**
 * A server's text without the key. Removes the key itself, any piece of it of at least eight characters, anything that looks like a
 * key (`sk-…`), and the masked form in which providers echo a wrong key (`abc***xyz`).
 */
export function scrub(said: string, key: string | null): string {
  let text = said;
  if (key !== null && key.length >= 4) text = text.replaceAll(key, removed);
  text = text.replace(/\bsk-[\w*•…-]*/gi, removed).replace(/(?<![\w-])[\w-]{2,}[*•]{3,}[\w*•-]*/g, removed);
  if (key === null) return text;
  const forms = [key, encodeURIComponent(key)].map((form) => form.toLowerCase());
  return text.replace(/[\w.+/=~%-]{8,}/g, (word) => (forms.some((form) => holdsPieceOf(word.toLowerCase(), form)) ? removed : word));
}

/** Whether the two share eight consecutive characters. */
function holdsPieceOf(word: string, key: string): boolean {
  for (let start = 0; start + 8 <= word.length; start++) {
    if (key.includes(word.slice(start, start + 8))) return true;
  }
  return false;
}
