/**
 * Characters that a screen hides, reorders or shows as something else: controls, bidi marks, zero-width and tag characters, odd spaces, fillers, lone
 * surrogates. Line feed and tab are what they look like, and so are emoji joined into one. The emoji variation selector counts as hidden unless it
 * follows a character that it can change. Of the combining marks on one letter, those after the fourth count as hidden, because a heap of them covers
 * other lines.
 */
const hidden = new RegExp(
  [
    String.raw`(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]`,
    String.raw`[\u{A0}\u{34F}\u{115F}\u{1160}\u{1680}\u{17B4}\u{17B5}\u{180B}-\u{180F}\u{2000}-\u{200A}\u{202F}\u{205F}\u{2800}\u{3000}\u{3164}]`,
    String.raw`[\u{FE00}-\u{FE0E}\u{FFA0}\u{FFFC}\u{16FE4}\u{1D159}\u{E0100}-\u{E01EF}]`,
    String.raw`\u{FE0F}(?<!\p{Extended_Pictographic}\u{FE0F}|[\d#*]\u{FE0F}(?=\u{20E3}))`,
    // In this order: the characters before a mark are checked only if there is a mark.
    String.raw`[\p{Mn}\p{Me}](?<=[\p{Mn}\p{Me}]{5})`,
  ].join("|"),
  "gu",
);

/**
 * Letters and digits written from right to left, with their marks. The ranges are those that Unicode reserves for such characters. Each run is
 * isolated on the screen, so that it reads correctly and moves nothing beside it.
 */
const rightToLeft =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}][\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}\p{Mn}]*/gu;

/** The maximum number of segments that have an element each. If there are more, they are named and isolated within the text. */
export const maxElements = 200;

export interface Segment {
  /** `text`: shown as it is. `code`: hidden characters, shown as their code point. `rtl`: a right-to-left run, to be isolated. */
  readonly kind: "text" | "code" | "rtl";
  /** The text to show: for `code`, `U+202E` or `U+00A0 × 200`. */
  readonly text: string;
  /** The original characters. */
  readonly source: string;
}

/** Matches known emoji sequences joined into one: a family, a flag. Null if the browser doesn't support this; then every joiner is shown. */
const joinedPictures = (() => {
  try {
    return new RegExp(String.raw`\p{RGI_Emoji_ZWJ_Sequence}`, "gv");
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
})();

/** The offsets of joiners that belong to such a sequence. */
function joinersIn(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (joinedPictures === null || !text.includes("\u200D")) return found;
  for (const { index, 0: picture } of text.matchAll(joinedPictures))
    for (let at = picture.indexOf("\u200D"); at >= 0; at = picture.indexOf("\u200D", at + 1)) found.add(index + at);
  return found;
}

/** The text in pieces. Joined, their sources are the text. Repeated hidden characters become one piece with their number. */
export function segments(text: string): Segment[] {
  const result: Segment[] = [];
  const joiners = joinersIn(text);
  let from = 0;
  /** A run of equal hidden characters. */
  let run: { readonly character: string; readonly start: number } | null = null;
  function endRun() {
    if (run === null) return;
    const source = text.slice(run.start, from);
    const count = source.length / run.character.length;
    result.push({ kind: "code", text: count === 1 ? codePoint(run.character) : `${codePoint(run.character)} × ${count}`, source });
    run = null;
  }
  for (const { index, 0: character } of text.matchAll(hidden)) {
    if (joiners.has(index)) continue;
    if (run === null || index > from || run.character !== character) {
      endRun();
      if (index > from) for (const part of readable(text.slice(from, index))) result.push(part);
      run = { character, start: index };
    }
    from = index + character.length;
  }
  endRun();
  if (from < text.length) for (const part of readable(text.slice(from))) result.push(part);
  return result;
}

/** Text without hidden characters, split at right-to-left runs. */
function readable(text: string): Segment[] {
  const result: Segment[] = [];
  let from = 0;
  for (const { index, 0: run } of text.matchAll(rightToLeft)) {
    if (index > from) result.push(asItIs(text.slice(from, index)));
    result.push({ kind: "rtl", text: run, source: run });
    from = index + run.length;
  }
  if (from < text.length) result.push(asItIs(text.slice(from)));
  return result;
}

const asItIs = (text: string): Segment => ({ kind: "text", text, source: text });

/**
 * The same as a string, for titles, names and speech: nothing hidden, nothing reordered. Right-to-left runs are between FIRST STRONG ISOLATE and POP
 * DIRECTIONAL ISOLATE; in the text itself, those would be shown as code points.
 */
export const visible = (text: string) =>
  segments(text)
    .map(({ kind, text: shown }) => (kind === "code" ? `⟨${shown}⟩` : kind === "rtl" ? `\u2068${shown}\u2069` : shown))
    .join("");

export const codePoint = (character: string) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
