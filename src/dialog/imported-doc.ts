import { docAuthority, revealAuthority } from "./doc-authority.ts";

const KEY = /^> (Authorized|Authorized outside|Revoked|Limit|Schedule):/;

/**
 * doc-main.md as it comes with an import: the lines that only the user may write become `> Authorized imported: …` and so on, which decide
 * nothing. `lines`: those lines, as they stood. A text that hides such a line behind invisible characters loses those characters.
 */
export function inactiveDoc(text: string): { readonly text: string; readonly lines: readonly string[] } {
  const cleaned = revealAuthority(text);
  const shown = docAuthority(text).join("\n") === docAuthority(cleaned).join("\n") ? text : cleaned;
  const lines = docAuthority(shown);
  if (lines.length === 0) return { text, lines };
  return {
    text: shown
      .split("\n")
      .map((line) => line.replace(KEY, (_, key: string) => `> ${key === "Authorized outside" ? "Outside" : key} imported:`))
      .join("\n"),
    lines,
  };
}
