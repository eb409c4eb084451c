import type { Lines } from "../../../dialog/lines.ts";

/** One fact from a dialog's file, with its lines. */
export interface Point {
  readonly lines: Lines;
  /** One line of Markdown. */
  readonly text: string;
  /** How many things of each kind it stands for. */
  readonly counts: Counts;
}

export type Kind = "message" | "answer" | "step" | "command" | "failure" | "file" | "agent" | "denial" | "open" | "question" | "stop";
export type Counts = Readonly<Partial<Record<Kind, number>>>;
