/** Characters of a new passphrase: the least, the most, and how many different ones there have to be. */
export const passphrase = { least: 12, most: 1_000, different: 6 } as const;

/**
 * What a new passphrase has to be; null when it is. Anyone who copies the record can try guesses on machines of his own, some ten
 * thousand in a second on each, so that a short one is soon found.
 */
export function passphraseProblem(text: string): string | null {
  const characters = Array.from(text.normalize("NFKC"));
  if (characters.length < passphrase.least) return `use at least ${passphrase.least} characters; four or five unrelated words work well`;
  if (characters.length > passphrase.most) return `expected at most ${passphrase.most} characters`;
  if (new Set(characters).size < passphrase.different) return `expected at least ${passphrase.different} different characters`;
  return null;
}
