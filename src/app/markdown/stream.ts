import type { Links } from "./lex.ts";
import type { Reading } from "./read.ts";

/** A text that grows at its end, of which only the open tail is read again. */
export interface MarkdownStream {
  /** Read again together with the next piece. */
  tail: string;
  /** Parts that are final. */
  closed: number;
  /** What is defined in the text so far, or, when it is read once more, anywhere in it. */
  links: Links;
  /** The last character was a carriage return: a line feed after it ends the same line. */
  returned: boolean;
}

export const newStream = (links: Links = {}): MarkdownStream => ({ tail: "", closed: 0, links, returned: false });

export function grow(stream: MarkdownStream, text: string): void {
  const added = stream.returned && text.startsWith("\n") ? text.slice(1) : text;
  stream.returned = text.endsWith("\r");
  stream.tail += added.replace(/\r\n?/g, "\n");
}

/** Takes what the tail was read as. */
export function take(stream: MarkdownStream, { final, links }: Pick<Extract<Reading, { kind: "read" }>, "final" | "links">): void {
  stream.tail = stream.tail.slice(final.units);
  stream.closed += final.parts;
  stream.links = { ...links, ...stream.links };
}
