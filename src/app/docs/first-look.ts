/** UTF-16 units of a text that is drawn before the editor is there. */
export const maxFirstLookLength = 20_000;
/** UTF-16 units of a text that is shown in the plain field before the editor is there. */
export const maxFieldLength = 200_000;
/** Lines of it that are drawn: each is an element. The screen is full with fewer. */
const maxLines = 999;

/** A mark ends near its beginning: without that, a line of marks that never end takes a second. */
const inline = /(`{1,9})(.{1,99}?)\1|\*\*(.{1,99}?)\*\*|\[([^\]]{1,99})\]\([^)\s]{0,99}\)|(?<!\w)([*_])(\S.{0,99}?)\5(?!\w)/g;

/**
 * A Markdown text roughly as the editor draws it, a line each, with the editor's own class names: for the moment until the editor's code has come. It
 * is looked at and never written in, so what it does not know shows as it is written.
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
