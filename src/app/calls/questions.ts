import type { CallView } from "../../protocol/index.ts";

/** A question that an agent outside Vibey asks its user, with the answers that it suggests. */
export interface AskedQuestion {
  readonly text: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  /** Whether more than one option can be chosen. */
  readonly several: boolean;
}

/** The questions of a call that accepts answers; empty for other calls. */
export function questionsIn({ tool, input }: Pick<CallView, "tool" | "input">): AskedQuestion[] {
  if (tool !== "AskUserQuestion" || !isObject(input["answers"]) || !Array.isArray(input["questions"])) return [];
  return input["questions"].flatMap((one: unknown): AskedQuestion[] => {
    if (!isObject(one) || typeof one["question"] !== "string") return [];
    const options = Array.isArray(one["options"]) ? one["options"] : [];
    return [
      {
        text: one["question"],
        options: options.flatMap((option: unknown) =>
          isObject(option) && typeof option["label"] === "string"
            ? [{ label: option["label"], description: typeof option["description"] === "string" ? option["description"] : "" }]
            : [],
        ),
        several: one["multiSelect"] === true,
      },
    ];
  });
}

/** The answers in the argument's field, by question. */
export function answersIn(field: string): Readonly<Record<string, string>> {
  const read: unknown = JSON.parse(field);
  return Object.fromEntries(
    Object.entries(isObject(read) ? read : {}).flatMap(([question, answer]) => (typeof answer === "string" ? [[question, answer]] : [])),
  );
}

/** An answer to a question with several choices, split into the chosen labels and the user's own words. A label may contain ", ". */
export function chosenIn(answer: string, labels: readonly string[]): { readonly chosen: ReadonlySet<string>; readonly own: string } {
  const longestFirst = labels.toSorted((a, b) => b.length - a.length);
  const chosen = new Set<string>();
  const own: string[] = [];
  for (let rest = answer; rest !== ""; ) {
    const label = longestFirst.find((one) => rest === one || (one !== "" && rest.startsWith(one + between)));
    const part = label ?? rest.split(between)[0] ?? rest;
    if (label === undefined) own.push(part);
    else chosen.add(label);
    rest = rest.slice(part.length + between.length);
  }
  return { chosen, own: own.join(between) };
}
/** The answer with one of the labels ticked or unticked. The user's own words stay at its end. */
export function withChoice(answer: string, labels: readonly string[], label: string, on: boolean): string {
  const { chosen, own } = chosenIn(answer, labels);
  const all = labels.filter((one) => (one === label ? on : chosen.has(one)));
  return [...all, ...(own === "" ? [] : [own])].join(between);
}
/** Separates the parts of an answer to a question with several choices, as in Claude Code. */
const between = ", ";

/** The argument's field with one question's answer replaced. */
export const withAnswer = (field: string, question: string, words: string): string =>
  JSON.stringify({ ...answersIn(field), [question]: words });

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
