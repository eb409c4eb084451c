import { docAuthority, revealAuthority } from "./doc-authority.ts";

const KEY = /^> (Authorized|Authorized outside|Revoked|Limit|Schedule):/;

/**
 * An imported doc-main.md with its authority lines disabled. Lines that only the user may write become `> Authorized imported: …` and so on, which
 * have no effect. `lines` are the original lines. Invisible characters are removed if they hide such a line.
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
