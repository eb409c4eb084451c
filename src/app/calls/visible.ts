/**
 * Characters that a screen hides, reorders or shows as something else: controls, bidi marks, zero-width and tag characters,
 * odd spaces, fillers, lone surrogates. Line feed and tab are what they look like.
 */
const hidden =
  /(?![\n\t])(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u{A0}\u{115F}\u{1160}\u{1680}\u{2000}-\u{200A}\u{202F}\u{205F}\u{3000}\u{3164}\u{FFA0}]|\u{34F}|[\u{17B4}\u{17B5}]|[\u{180B}-\u{180F}]|[\u{FE00}-\u{FE0E}]|[\u{E0100}-\u{E01EF}])/gu;

export type Segment = { readonly kind: "text"; readonly text: string } | { readonly kind: "code"; readonly text: string };

/** The text in pieces: what shows as it is, and the code point (`U+202E`) of each character that does not. */
export function segments(text: string): Segment[] {
  const result: Segment[] = [];
  let from = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.index > from) result.push({ kind: "text", text: text.slice(from, match.index) });
    result.push({ kind: "code", text: codePoint(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) result.push({ kind: "text", text: text.slice(from) });
  return result;
}

/** The same on one line, for titles and names: nothing hidden, nothing reordered. */
export const visible = (text: string) =>
  segments(text)
    .map((segment) => (segment.kind === "text" ? segment.text : `⟨${segment.text}⟩`))
    .join("");

const codePoint = (character: string) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
