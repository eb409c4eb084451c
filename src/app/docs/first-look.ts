/** The maximum length of a text drawn before the editor is there, in UTF-16 units. */
export const maxFirstLookLength = 20_000;
/** The maximum length of a text shown in the plain field before the editor is there, in UTF-16 units. */
export const maxFieldLength = 200_000;
/** The maximum number of lines drawn, each an element. Fewer lines fill the screen. */
const maxLines = 999;

/** Marked text is limited in length. Without the limit, a line of unclosed marks would take a second. */
const inline = /(`{1,9})(.{1,99}?)\1|\*\*(.{1,99}?)\*\*|\[([^\]]{1,99})\]\([^)\s]{0,99}\)|(?<!\w)([*_])(\S.{0,99}?)\5(?!\w)/g;

/**
 * A Markdown text drawn roughly as the editor draws it, one element per line, with the editor's class names. Shown until the editor's code has
 * loaded. It is only looked at, never edited, so syntax that it doesn't know shows as written.
 */
export function firstLook(text: string): HTMLElement[] {
  let fence = false;
  return text.split("\n", maxLines).map((line) => {
    const [, marks = "", bullet = "", rest = line] =
      /^(#{1,6} |>(?! ?(?:Authorized|Limit):) ?|(?: *)(?:([-*+])|\d{1,9}[.)]) +)(.*)$/.exec(line) ?? [];
    const isFence = line.startsWith("```");
    const isCode = fence || isFence;
    if (isFence) fence = !fence;
    const level = marks.trim().length;
    const depth = Math.min(6, 1 + Math.floor(marks.search(/\S/) / 2));
    const look = isFence
      ? "md-code md-fence"
      : isCode
        ? "md-code"
        : line === ""
          ? "md-blank"
          : marks.startsWith("#")
            ? `md-h md-h${level}`
            : marks.startsWith(">")
              ? "md-quote"
              : marks && `md-item md-depth-${depth}`;
    const element = span(`cm-line ${look}`, "", "div");
    if (look.startsWith("md-item")) element.append(bullet ? span("md-bullet", "•") : span("md-number", marks.trim()));
    if (isCode) element.append(isFence ? "" : line);
    else drawInline(element, rest);
    if (element.textContent === "") element.append(document.createElement("br"));
    return element;
  });
}

function drawInline(element: HTMLElement, text: string): void {
  let from = 0;
  for (const found of text.matchAll(inline)) {
    const [whole, , code, strong, link, , em = ""] = found;
    element.append(
      text.slice(from, found.index),
      code ? span("md-inline-code", code) : strong ? span("md-strong", strong) : link ? span("md-link", link) : span("md-em", em),
    );
    from = found.index + whole.length;
  }
  element.append(text.slice(from));
}

function span(look: string, text: string, tag: "span" | "div" = "span"): HTMLElement {
  const element = document.createElement(tag);
  element.className = look;
  element.append(text);
  return element;
}
