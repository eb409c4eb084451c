import type { MarkdownConfig } from "@lezer/markdown";

/**
 * Limits for a single step of the Markdown parser. The parser can pause only between blocks, and parsing emphasis and links takes time that grows
 * with the square of a line's length. Text over a limit gets no marks.
 */
export const limits = {
  /**
   * The maximum UTF-16 units of a paragraph or cell that is parsed for emphasis and links, and the maximum number of characters in it that can begin
   * or end one.
   */
  inline: 8_192,
  marks: 500,
  /** UTF-16 units after which a paragraph or table ends and the next line begins another block. */
  leaf: 8_192,
  /** Levels of quotes and lists around a block. */
  depth: 60,
} as const;

const marks = new Set(Array.from("*_~[]!<`@:&\\", (mark) => mark.charCodeAt(0)));

function isOverLimit(text: string): boolean {
  if (text.length > limits.inline) return true;
  let found = 0;
  for (let at = 0; at < text.length; at += 1) if (marks.has(text.charCodeAt(at))) found += 1;
  return found > limits.marks;
}

export const withLimits: MarkdownConfig = {
  parseInline: [
    {
      name: "OverLimit",
      before: "Escape",
      parse: (context, _next, pos) => (pos === context.offset && isOverLimit(context.text) ? context.end : -1),
    },
  ],
  parseBlock: [
    {
      name: "TooDeep",
      before: "IndentedCode",
      parse(context, line) {
        if (context.depth <= limits.depth) return false;
        context.addElement(context.elt("Paragraph", context.lineStart + line.pos, context.lineStart + line.text.length));
        context.nextLine();
        return true;
      },
      endLeaf: (_context, _line, leaf) => leaf.content.length > limits.leaf,
    },
  ],
};
