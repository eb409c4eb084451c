import { contextValue, parseContext, warningReached } from "../../prompt/context-window.ts";
import type { Dialog, Meta } from "../../../dialog/model.ts";
import type { Usage } from "../../cost/usage.ts";
import { lastRead } from "./last-read.ts";

/** Reads `input=123 output=456 total=579`; null when it is anything else. Numbers are non-negative safe integers. */
export function parseUsage(value: string): (Usage & { readonly total: number }) | null {
  const match = /^input=(\d{1,16}) output=(\d{1,16}) total=(\d{1,16})$/.exec(value);
  if (!match) return null;
  const [input, output, total] = match.slice(1).map(Number);
  return input !== undefined && output !== undefined && total !== undefined && [input, output, total].every(Number.isSafeInteger)
    ? { input, output, total }
    : null;
}

function usageText({ input, output }: Usage): string {
  return `input=${input} output=${output} total=${input + output}`;
}

/** The two lines at a section's end. The cumulative one continues from the last one that the file has. */
export function usageLines(dialog: Dialog, usage: Usage): Meta[] {
  const before = lastRead(dialog, "Usage cumulative", parseUsage) ?? { input: 0, output: 0 };
  const sum = { input: before.input + usage.input, output: before.output + usage.output };
  return [
    { key: "Usage", value: usageText(usage) },
    { key: "Usage cumulative", value: usageText(sum) },
  ];
}

/**
 * The line that tells the agent how full the window is: none but where a response crosses one more of `limits.contextWarnings`.
 * The last such line counts for a window of its size only, so a model with another window is told again.
 */
export function contextLines(dialog: Dialog, usage: Usage, window: number | null): Meta[] {
  if (window === null || window <= 0) return [];
  const use = { used: usage.input + usage.output, window };
  const reached = warningReached(use);
  if (reached === 0) return [];
  const told = lastRead(dialog, "Context", parseContext);
  return told?.window === window && warningReached(told) >= reached ? [] : [{ key: "Context", value: contextValue(use) }];
}

/** Tokens that the dialog took at the last response whose usage was reported, input and output; null when none was. */
export function tokensUsed(dialog: Dialog): number | null {
  const usage = lastRead(dialog, "Usage", parseUsage);
  return usage && usage.input + usage.output;
}
