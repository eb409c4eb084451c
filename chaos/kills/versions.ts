/**
 * A file whose every line gives its version and the number of lines. So a mix of two versions, a cut text or another file's text can't be mistaken
 * for a whole version.
 */

/** Every seventh version of a file that isn't a doc is its removal. */
export const isRemoval = (name: string, version: number): boolean => !name.endsWith(".md") && version % 7 === 0;

/** The version of a text, or a sentence that says why it has none. */
export function versionOf(name: string, text: string): number | string {
  const [line = ""] = text.split("\n", 1);
  const [, of, version, lines] = /^(.+) version (\d+) of (\d+) lines$/.exec(line) ?? [];
  if (of !== name) return `${name} begins with ${JSON.stringify(line.slice(0, 80))}`;
  return text === `${line}\n`.repeat(Number(lines)) ? Number(version) : `${name} is torn: it begins as version ${version} and is not that`;
}

/**
 * The version found, if it can follow from the last acknowledged version (0: none) with one more write on its way; otherwise a sentence that says
 * why not. `text` null: the file doesn't exist.
 */
export function checkVersion(name: string, text: string | null, acknowledged: number): number | string {
  const may = [acknowledged, acknowledged + 1];
  if (text === null) {
    const gone = may.find((version) => version === 0 || isRemoval(name, version));
    return gone ?? `${name} is gone; version ${acknowledged} was acknowledged`;
  }
  const version = versionOf(name, text);
  if (typeof version === "string") return version;
  if (may.includes(version) && !isRemoval(name, version)) return version;
  return `${name} is version ${version}; version ${acknowledged} was acknowledged`;
}
