import { only } from "../../../dialog/meta.ts";
import type { Meta, Section } from "../../../dialog/model.ts";
import { COST_THERE, costText, parseCost } from "../../cost/lines.ts";
import { addNanos } from "../../cost/money.ts";
import type { Usage } from "../../cost/usage.ts";
import { metaOf } from "./queries.ts";
import { parseUsage, usageText } from "./usage.ts";

/** The total usage of the responses that produced an answer. `cost` is null unless it is known for each of them. */
export interface UsedThere {
  readonly usage: Usage;
  readonly cost: { readonly nanos: number; readonly reported: boolean } | null;
}

const USAGE_THERE = "Usage there";
export const usedThereKeys: readonly string[] = [USAGE_THERE, COST_THERE];

/** The usage of an answer in another dialog. The lines have their own keys, so that nothing counts them twice. */
export function usedThereLines({ usage, cost }: UsedThere): Meta[] {
  const known = cost === null ? [] : [{ key: COST_THERE, value: costText(cost) }];
  return [{ key: USAGE_THERE, value: usageText(usage) }, ...known];
}

/** Null if the lines don't say. */
export function readUsedThere(lines: readonly Meta[]): UsedThere | null {
  const usage = parseUsage(only(lines, USAGE_THERE) ?? "");
  return usage && { usage, cost: parseCost(only(lines, COST_THERE) ?? "") };
}

/** The total usage of these sections. Null if none reports usage. */
export function usedBy(sections: readonly Section[]): UsedThere | null {
  const said = sections.flatMap((section) => {
    const lines = metaOf(section);
    const usage = parseUsage(lines.find(({ key }) => key === "Usage")?.value ?? "");
    return usage === null ? [] : [{ usage, cost: parseCost(lines.find(({ key }) => key === "Cost")?.value ?? "") }];
  });
  if (said.length === 0) return null;
  const costs = said.flatMap(({ cost }) => cost ?? []);
  return {
    usage: said.reduce((sum, { usage }) => ({ input: sum.input + usage.input, output: sum.output + usage.output }), {
      input: 0,
      output: 0,
    }),
    cost:
      costs.length < said.length
        ? null
        : { nanos: costs.reduce((sum, { nanos }) => addNanos(sum, nanos), 0), reported: costs.every(({ reported }) => reported) },
  };
}
