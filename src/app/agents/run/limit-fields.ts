import type { LimitsAnswer, RunLimitsBody } from "../../../protocol/index.ts";

/** The limits of a run, as fields. */
export const limitFields = ["tokens", "agents", "fanout", "depth"] as const;
export type LimitField = (typeof limitFields)[number];
export type LimitTexts = Readonly<Record<LimitField, string>>;

/** Whether the text is a plain whole number. */
export const isCount = (typed: string): boolean => /^\d{1,12}$/.test(typed.trim());

/** The texts in the fields of a new run: what the user typed, or else the project's limit; "" until that is known. */
export function fieldsOf(inForce: LimitsAnswer["run"] | null, typed: Partial<LimitTexts>): LimitTexts {
  const of = (name: LimitField): string => typed[name] ?? (inForce === null ? "" : String(inForce[name]));
  return { tokens: of("tokens"), agents: of("agents"), fanout: of("fanout"), depth: of("depth") };
}

/** The limits that the user typed. The others stay the project's, even if those change in the meantime. */
export const limitsTyped = (typed: Partial<LimitTexts>): RunLimitsBody =>
  Object.fromEntries(limitFields.flatMap((name) => (typed[name] === undefined ? [] : [[name, Number(typed[name].trim())]])));
