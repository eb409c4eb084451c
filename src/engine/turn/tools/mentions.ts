import type { Path } from "../../../fs/path.ts";

/** Whether the text of a command names the file, by its path or by its last part: `cd src && cat a.ts` names `src/a.ts`. */
export function mentions(text: string, path: Path): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  // Paths are in NFC. In a command, an accent may be a separate character.
  const composed = text.normalize("NFC");
  for (let at = composed.indexOf(name); at >= 0; at = composed.indexOf(name, at + 1)) {
    if (!inName(composed[at - 1]) && !inName(composed[at + name.length])) return true;
  }
  return false;
}

/** Whether the character belongs to a name, so that the text next to it is only part of a longer name. */
function inName(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_.-]/u.test(character);
}
