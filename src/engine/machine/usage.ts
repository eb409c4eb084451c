import type { Dialog, Meta } from "../format/model.ts";
import type { Usage } from "../providers/provider.ts";
import { metaOf } from "./queries.ts";

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

/** The two lines at a section's end. The cumulative one goes on from the last one that the file has. */
export function usageLines(dialog: Dialog, usage: Usage): Meta[] {
  let before: Usage = { input: 0, output: 0 };
  for (const section of dialog.sections.toReversed()) {
    const line = metaOf(section).findLast(({ key }) => key === "Usage cumulative");
    const parsed = line && parseUsage(line.value);
    if (parsed) {
      before = parsed;
      break;
    }
  }
  const sum = { input: before.input + usage.input, output: before.output + usage.output };
  return [
    { key: "Usage", value: usageText(usage) },
    { key: "Usage cumulative", value: usageText(sum) },
  ];
}
