import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";

export const hiddenCharacter = "Invisible character";

/** Shown instead of blanks of one or both kinds. */
export const countedBlanks = (spaces: number, tabs: number) =>
  tabs === 0 ? counted(spaces, "space") : spaces === 0 ? counted(tabs, "tab") : `${counted(spaces, "space")} and ${counted(tabs, "tab")}`;
export const countedLines = (lines: number) => counted(lines, "empty line");

/** Scripts, by their Unicode names. */
export const scriptNames = {
  Armenian: "Armenian",
  Canadian_Aboriginal: "Canadian Syllabics",
  Carian: "Carian",
  Cherokee: "Cherokee",
  Coptic: "Coptic",
  Cyrillic: "Cyrillic",
  Deseret: "Deseret",
  Elbasan: "Elbasan",
  Georgian: "Georgian",
  Greek: "Greek",
  Lisu: "Lisu",
  Lycian: "Lycian",
  Old_Italic: "Old Italic",
  Osage: "Osage",
  Runic: "Runic",
  Tifinagh: "Tifinagh",
  Warang_Citi: "Warang Citi",
} as const;

interface Twin {
  readonly character: string;
  readonly script: keyof typeof scriptNames | null;
  readonly plain: string;
}
/** "Cyrillic U+0441, not c": characters that look like others. */
export const characterTwins = (twins: readonly Twin[], more: number) =>
  twins
    .map(({ character, script, plain }) => {
      const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
      return `${script === null ? "" : `${scriptNames[script]} `}${code}, not ${plain}`;
    })
    .join("; ") + (more === 0 ? "" : `; ${number(more)} more`);
