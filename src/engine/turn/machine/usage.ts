import { contextValue, parseContext, warningReached } from "../../prompt/context-window.ts";
import type { Dialog, Meta } from "../../../dialog/model.ts";
import { runOf } from "../../../dialog/run.ts";
import { sectionAt, sectionCount } from "../../../dialog/sections.ts";
import type { Usage } from "../../cost/usage.ts";
import { lastRead } from "./last-read.ts";

/** Reads `input=123 output=456 total=579`. Null for anything else. Numbers are non-negative safe integers. */
export function parseUsage(value: string): (Usage & { readonly total: number }) | null {
  const match = /^input=(\d{1,16}) output=(\d{1,16}) total=(\d{1,16})$/.exec(value);
  if (!match) return null;
  const [input, output, total] = match.slice(1).map(Number);
  return input !== undefined && output !== undefined && total !== undefined && [input, output, total].every(Number.isSafeInteger)
    ? { input, output, total }
    : null;
}

export function usageText({ input, output }: Usage): string {
  return `input=${input} output=${output} total=${input + output}`;
}

/** The two usage lines at a section's end. The cumulative line adds to the last one in the file. */
export function usageLines(dialog: Dialog, usage: Usage): Meta[] {
  const before = lastRead(dialog, "Usage cumulative", parseUsage) ?? { input: 0, output: 0 };
  const sum = { input: before.input + usage.input, output: before.output + usage.output };
  return [
    { key: "Usage", value: usageText(usage) },
    { key: "Usage cumulative", value: usageText(sum) },
  ];
}

/** The approximate number of characters per token. */
const charactersOfToken = 4;
const ESTIMATED = "Tokens estimated";
const ESTIMATED_SUM = "Tokens cumulative";

/**
 * Estimates the tokens that a response in a run has read and written if no usage was reported, so that the run's token limit applies to it too.
 * No lines if the response is empty.
 */
export function estimateLines(dialog: Dialog): Meta[] {
  const count = sectionCount(dialog);
  if (runOf(dialog.head) === null || lengthOf(dialog, count - 1) === 0) return [];
  let characters = dialog.parts.reduce((sum, part) => sum + (part.kind === "text" ? part.text.length : 0), 0);
  for (let at = 0; at < count; at += 1) characters += lengthOf(dialog, at);
  const tokens = Math.ceil(characters / charactersOfToken);
  return [
    { key: ESTIMATED, value: String(tokens) },
    { key: ESTIMATED_SUM, value: String(tokensEstimated(dialog) + tokens) },
  ];
}

function lengthOf(dialog: Dialog, at: number): number {
  let length = 0;
  for (const part of sectionAt(dialog, at)?.parts ?? []) {
    if (part.kind === "text") length += part.text.length;
    else if (part.kind === "call") length += JSON.stringify([part.call.input, part.call.result ?? null]).length;
  }
  return length;
}

/** The estimated tokens of all responses without reported usage. */
export const tokensEstimated = (dialog: Dialog): number =>
  lastRead(dialog, ESTIMATED_SUM, (value) => (/^\d{1,15}$/.test(value) ? Number(value) : null)) ?? 0;

/**
 * The line that tells the agent how full the window is. It is written only if the response crosses the next of `limits.contextWarnings`. Only a
 * line for a window of the same size counts as told, so a model with another window is told again.
 */
export function contextLines(dialog: Dialog, usage: Usage, window: number | null): Meta[] {
  if (window === null || window <= 0) return [];
  const use = { used: usage.input + usage.output, window };
  const reached = warningReached(use);
  if (reached === 0) return [];
  const told = lastRead(dialog, "Context", parseContext);
  return told?.window === window && warningReached(told) >= reached ? [] : [{ key: "Context", value: contextValue(use) }];
}

/** The input and output tokens of the last response with reported usage. Null if there is none. */
export function tokensUsed(dialog: Dialog): number | null {
  const usage = lastRead(dialog, "Usage", parseUsage);
  return usage && usage.input + usage.output;
}
