/**
 * A file whose text says which version it is in each of its lines, and how many lines there are, so that two versions mixed, a text
 * cut short or one of another file can't be taken for a whole one.
 */

/** Each seventh version of such a file is that it is not there. */
export const isRemoval = (name: string, version: number): boolean => !name.endsWith(".md") && version % 7 === 0;

/** The version that a text is; a sentence when it is none. */
export function versionOf(name: string, text: string): number | string {
  const [line = ""] = text.split("\n", 1);
  const [, of, version, lines] = /^(.+) version (\d+) of (\d+) lines$/.exec(line) ?? [];
  if (of !== name) return `${name} begins with ${JSON.stringify(line.slice(0, 80))}`;
  return text === `${line}\n`.repeat(Number(lines)) ? Number(version) : `${name} is torn: it begins as version ${version} and is not that`;
}

/**
 * Whether what is found can follow from the last version that was acknowledged (0: none) with one more on its way; a sentence when it
 * can't. `text` null: the file is not there.
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
