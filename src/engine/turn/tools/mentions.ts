import type { Path } from "../../../fs/path.ts";

/** Whether a command's text names the file, by its path or by its last part: `cd src && cat a.ts` names `src/a.ts`. */
export function mentions(text: string, path: Path): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  // As a path is; an accent may be typed as a character of its own.
  const composed = text.normalize("NFC");
  for (let at = composed.indexOf(name); at >= 0; at = composed.indexOf(name, at + 1)) {
    if (!inName(composed[at - 1]) && !inName(composed[at + name.length])) return true;
  }
  return false;
}

/** Whether the character would make another name of the one beside it. */
function inName(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_.-]/u.test(character);
}
