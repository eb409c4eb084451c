import type { StreamFrame } from "../../protocol/index.ts";

/** The lines of a file that grows at its end, or anywhere. LF ends a line, so a file that ends in LF has no line after it. */
export interface TextLines {
  readonly lines: readonly string[];
  /** Whether the whole text ends in LF. */
  readonly ended: boolean;
}

export function splitLines(text: string): TextLines {
  const lines = text.split("\n");
  const ended = text.endsWith("\n");
  return { lines: ended ? lines.slice(0, -1) : lines, ended };
}

/** The lines after `text` replaced everything from UTF-16 offset `from` on. Searches from the end, so only changed lines cost time. */
export function patchLines(old: TextLines, length: number, from: number, text: string): TextLines {
  let kept = old.lines.length;
  let start = length + (old.ended ? 0 : 1);
  while (kept > 0 && start > from) {
    kept--;
    start -= (old.lines[kept]?.length ?? 0) + 1;
  }
  const head = (old.lines[kept] ?? "").slice(0, from - start);
  const tail = splitLines(head + text);
  const lines = old.lines.slice(0, kept);
  for (const line of tail.lines) lines.push(line);
  return { lines, ended: tail.ended };
}

/** A dialog's file, built from its frames; null if the dialog is gone. */
export interface FileText extends TextLines {
  readonly length: number;
}

export function afterFrame(old: FileText | null, frame: StreamFrame): FileText | null {
  switch (frame.type) {
    case "snapshot":
      return { ...splitLines(frame.text), length: frame.text.length };
    case "patch":
      return old && { ...patchLines(old, old.length, frame.from, frame.text), length: frame.from + frame.text.length };
    case "gone":
      return null;
    default:
      return old;
  }
}
