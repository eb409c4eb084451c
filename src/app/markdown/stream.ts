import type { Links } from "./lex.ts";
import type { Reading } from "./read.ts";

/** A text that grows at its end. Only its open tail is parsed again. */
export interface MarkdownStream {
  /** Parsed again together with the next piece. */
  tail: string;
  /** The number of final parts. */
  closed: number;
  /** The links defined in the text so far, or anywhere in it when it is parsed a second time. */
  links: Links;
  /** The last character was a carriage return. A line feed after it ends the same line. */
  returned: boolean;
}

export const newStream = (links: Links = {}): MarkdownStream => ({ tail: "", closed: 0, links, returned: false });

export function grow(stream: MarkdownStream, text: string): void {
  const added = stream.returned && text.startsWith("\n") ? text.slice(1) : text;
  stream.returned = text.endsWith("\r");
  stream.tail += added.replace(/\r\n?/g, "\n");
}

/** Takes the result of parsing the tail. */
export function take(stream: MarkdownStream, { final, links }: Pick<Extract<Reading, { kind: "read" }>, "final" | "links">): void {
  stream.tail = stream.tail.slice(final.units);
  stream.closed += final.parts;
  stream.links = { ...links, ...stream.links };
}
