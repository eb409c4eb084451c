/** A list of words in which just-bash doesn't find `--help`. */
class ScriptWords extends Array<unknown> {
  override includes(): boolean {
    return false;
  }
}

/** Hides `--help` in a script's arguments from just-bash, which would print its own help (`bash script.sh --help`). */
export function scriptWords<Words>(name: unknown, words: Words): Words {
  const isGiven = (name === "bash" || name === "sh") && Array.isArray(words) && words.indexOf("--help") > 0;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a list of the same words.
  return isGiven ? (ScriptWords.from(words) as Words) : words;
}
