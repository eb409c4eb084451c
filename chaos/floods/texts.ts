/** Texts that are slow to parse, lay out or draw. Each function makes one of about `length` UTF-16 units. */
type Make = (length: number) => string;

const repeat =
  (unit: string): Make =>
  (length) =>
    unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Calls `piece` with 0, 1, 2 … until the text is long enough. */
const growing =
  (piece: (nth: number) => string): Make =>
  (length) => {
    const parts: string[] = [];
    let size = 0;
    for (let nth = 0; size < length; nth += 1) {
      const part = piece(nth);
      parts.push(part);
      size += part.length;
    }
    return parts.join("").slice(0, length);
  };

export const floods: Readonly<Record<string, Make>> = {
  "strong and slanted": repeat("*a **a "),
  asterisks: repeat("*"),
  "asterisks and words": repeat("a**b"),
  "asterisks in a list": repeat("* "),
  underscores: repeat("_"),
  "mixed emphasis": repeat("*a_"),
  "nested emphasis": repeat("*~~_"),
  strikethrough: repeat("~~a "),
  "open brackets": repeat("["),
  "closed brackets": repeat("]("),
  "brackets in brackets": (length) => "[".repeat(length / 2) + "]".repeat(length / 2),
  "open links": repeat("[a]("),
  "open titles": repeat('[a](b "'),
  "open targets": repeat("[a](<b"),
  images: repeat("!["),
  "images in links": repeat("[![a]("),
  "angle brackets": repeat("<"),
  "open tags": repeat("<a "),
  "open addresses": repeat("<a@"),
  "autolinks in brackets": repeat("<http://"),
  autolinks: repeat("http://"),
  "one long autolink": (length) => `http://${"a.".repeat(length / 2)}`,
  "autolinks of www": repeat("www."),
  "autolinks in parentheses": repeat("http://a) "),
  "a link that ends in signs": (length) => `http://a${"?!".repeat(length / 2)}`,
  "addresses of mail": repeat("a@"),
  "one long address of mail": (length) => `${"a.".repeat(length / 2)}@`,
  "words with underscores": repeat("a_"),
  "growing runs of backticks": growing((nth) => `${"`".repeat((nth % 900) + 1)} `),
  backticks: repeat("`a"),
  fences: repeat("```\n"),
  "fences of two kinds": repeat("```a\n~~~\n"),
  "code of short lines": (length) => `~~~\n${repeat("a\n")(length)}`,
  "code of empty lines": (length) => `~~~\n${repeat("\n")(length)}`,
  "code in a quote": (length) => `> ~~~\n${repeat(">\n")(length)}`,
  "code in an item": (length) => `- ~~~\n${repeat("  a\n")(length)}`,
  "indented code": repeat("    a\n"),
  "quotes in quotes": repeat("> "),
  "quotes in lines": growing((nth) => `${">".repeat((nth % 500) + 1)} a\n`),
  "lazy quotes": repeat("> a\na\n"),
  "nested list": growing((nth) => `${"  ".repeat(nth % 500)}- a\n`),
  "list in list": repeat("- "),
  "list of empty items": repeat("-\n"),
  "item of empty lines": (length) => `- a\n${repeat("\n")(length)}`,
  "long list": repeat("- a\n"),
  "long numbered list": repeat("1. a\n"),
  "list of paragraphs": repeat("- a\n\n  b\n\n"),
  "long table": (length) => `|a|b|\n|-|-|\n${repeat("|a|b|\n")(length)}`,
  "wide table": (length) => `|${"a|".repeat(length / 3)}\n|${"-|".repeat(length / 3)}\n${"a\n".repeat(length / 6)}`,
  "many tables": repeat("a|b\n-|-\n"),
  pipes: repeat("|"),
  "one line": repeat("a"),
  "one line of words": repeat("word "),
  newlines: repeat("\n"),
  spaces: repeat(" "),
  tabs: repeat("\t"),
  "lines of spaces": repeat(" \n"),
  "right-to-left overrides": repeat("\u202E"),
  "letters after overrides": repeat("\u202Ea"),
  "overrides and their ends": repeat("\u202Ea\u202C"),
  isolates: repeat("\u2066"),
  "right-to-left words": repeat("\u05D0 a "),
  "zero width": repeat("\u200B"),
  "combining marks": (length) => `a${"\u0301".repeat(length)}`,
  "letters with marks": repeat("a\u0301\u0301\u0301"),
  families: repeat("\u{1F469}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}"),
  "half characters": repeat("\uD83D"),
  backslashes: repeat("\\"),
  escapes: repeat("\\*"),
  "character references": repeat("&amp;"),
  ampersands: repeat("&"),
  "link definitions": growing((nth) => `[a${nth}]: b\n`),
  "definitions that are used": growing((nth) => `[a${nth}]: b\n\n[a${nth}] `),
  "one definition used often": (length) => `[a]: b\n\n${repeat("[a]")(length)}`,
  "open definitions": repeat("[a]: <\n"),
  setext: repeat("a\n=\n"),
  "paragraph of lines": repeat("a\n"),
  headings: repeat("# a\n"),
  rules: repeat("---\n\n"),
  comments: repeat("<!--"),
  "lines of comments": repeat("<!--\n\n"),
  "comment of short lines": (length) => `<!--\n${repeat("a\n")(length)}`,
  "HTML blocks": repeat("<div>\n\n"),
  "CDATA blocks": repeat("<![CDATA[\n\n"),
  dollars: repeat("$"),
  "many short hostile paragraphs": repeat(`${"*a_".repeat(300)}\n\n`),
};
