/**
 * Characters that a screen hides, reorders or shows as something else: controls, bidi marks, zero-width and tag characters, odd
 * spaces, fillers, lone surrogates. Line feed and tab are what they look like, and so are pictures joined to one. The selector that makes a
 * picture of a sign shows where it has no sign before it; of marks on one letter those show that come after the fourth, since a heap of
 * them covers other lines.
 */
const hidden = new RegExp(
  [
    String.raw`(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]`,
    String.raw`[\u{A0}\u{34F}\u{115F}\u{1160}\u{1680}\u{17B4}\u{17B5}\u{180B}-\u{180F}\u{2000}-\u{200A}\u{202F}\u{205F}\u{2800}\u{3000}\u{3164}]`,
    String.raw`[\u{FE00}-\u{FE0E}\u{FFA0}\u{FFFC}\u{16FE4}\u{1D159}\u{E0100}-\u{E01EF}]`,
    String.raw`\u{FE0F}(?<!\p{Extended_Pictographic}\u{FE0F}|[\d#*]\u{FE0F}(?=\u{20E3}))`,
    // In this order: what stands before a letter is looked at only where there is a mark.
    String.raw`[\p{Mn}\p{Me}](?<=[\p{Mn}\p{Me}]{5})`,
  ].join("|"),
  "gu",
);

export type Segment = { readonly kind: "text"; readonly text: string } | { readonly kind: "code"; readonly text: string };

/** Pictures that are known to be one when they are joined: a family, a flag. Null where the browser can't tell: then every joiner shows. */
const joinedPictures = (() => {
  try {
    return new RegExp(String.raw`\p{RGI_Emoji_ZWJ_Sequence}`, "gv");
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
})();

/** Where the joiners stand that are part of such a picture. */
function joinersIn(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (joinedPictures === null || !text.includes("\u200D")) return found;
  for (const { index, 0: picture } of text.matchAll(joinedPictures))
    for (let at = picture.indexOf("\u200D"); at >= 0; at = picture.indexOf("\u200D", at + 1)) found.add(index + at);
  return found;
}

/** The text in pieces: what shows as it is, and the code point (`U+202E`) of each character that does not. */
export function segments(text: string): Segment[] {
  const result: Segment[] = [];
  const joiners = joinersIn(text);
  let from = 0;
  for (const match of text.matchAll(hidden)) {
    if (joiners.has(match.index)) continue;
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
