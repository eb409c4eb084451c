/** Words among which just-bash does not find `--help`. */
class ScriptWords extends Array<unknown> {
  override includes(): boolean {
    return false;
  }
}

/** just-bash takes a `--help` that a script is given for its own: `bash script.sh --help`. The same words where there is none. */
export function scriptWords<Words>(name: unknown, words: Words): Words {
  const isGiven = (name === "bash" || name === "sh") && Array.isArray(words) && words.indexOf("--help") > 0;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a list of the same words.
  return isGiven ? (ScriptWords.from(words) as Words) : words;
}
