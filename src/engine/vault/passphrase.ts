/** Characters of a new passphrase: minimum, maximum, and how many of them must differ. */
export const passphrase = { least: 12, most: 1_000, different: 6 } as const;

/**
 * What is wrong with a new passphrase. Null if it is acceptable. Anyone who copies the record can try guesses on their own machines, some ten
 * thousand per second on each, so a short passphrase is soon found.
 */
export function passphraseProblem(text: string): string | null {
  const characters = Array.from(text.normalize("NFKC"));
  if (characters.length < passphrase.least) return `use at least ${passphrase.least} characters; four or five unrelated words work well`;
  if (characters.length > passphrase.most) return `expected at most ${passphrase.most} characters`;
  if (new Set(characters).size < passphrase.different) return `expected at least ${passphrase.different} different characters`;
  return null;
}
