import type { Lines } from "../../../dialog/lines.ts";

/** One thing that a dialog's file says, with the lines that say it. */
export interface Point {
  readonly lines: Lines;
  /** One line of markdown. */
  readonly text: string;
  /** How many things of which kind it stands for. */
  readonly counts: Counts;
}

export type Kind = "message" | "answer" | "step" | "command" | "failure" | "file" | "agent" | "denial" | "open" | "question" | "stop";
export type Counts = Readonly<Partial<Record<Kind, number>>>;
