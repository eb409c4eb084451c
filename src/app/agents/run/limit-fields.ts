import type { LimitsAnswer, RunLimitsBody } from "../../../protocol/index.ts";

/** The limits of a run, as fields. */
export const limitFields = ["tokens", "agents", "fanout", "depth"] as const;
export type LimitField = (typeof limitFields)[number];
export type LimitTexts = Readonly<Record<LimitField, string>>;

/** A whole number that no one means as another. */
export const isCount = (typed: string): boolean => /^\d{1,12}$/.test(typed.trim());

/** What stands in the fields of a run that begins: what the user typed, or else what holds in the project; "" until that is known. */
export function fieldsOf(inForce: LimitsAnswer["run"] | null, typed: Partial<LimitTexts>): LimitTexts {
  const of = (name: LimitField): string => typed[name] ?? (inForce === null ? "" : String(inForce[name]));
  return { tokens: of("tokens"), agents: of("agents"), fanout: of("fanout"), depth: of("depth") };
}

/** The limits that were typed. What was left alone is the project's, also when that changes meanwhile. */
export const limitsTyped = (typed: Partial<LimitTexts>): RunLimitsBody =>
  Object.fromEntries(limitFields.flatMap((name) => (typed[name] === undefined ? [] : [[name, Number(typed[name].trim())]])));
