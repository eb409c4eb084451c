import type { CallView } from "../../protocol/index.ts";

/** A question that an agent outside Vibey asks its user, with the answers that it suggests. */
export interface AskedQuestion {
  readonly text: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  /** More than one of them can be chosen. */
  readonly several: boolean;
}

/** The questions of a call that has room for answers; none for other calls. */
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

/** The answers that stand in the field of the argument, by their questions. */
export function answersIn(field: string): Readonly<Record<string, string>> {
  const read: unknown = JSON.parse(field);
  return Object.fromEntries(
    Object.entries(isObject(read) ? read : {}).flatMap(([question, answer]) => (typeof answer === "string" ? [[question, answer]] : [])),
  );
}

/** The field of the argument with another answer to one question. */
export const withAnswer = (field: string, question: string, words: string): string =>
  JSON.stringify({ ...answersIn(field), [question]: words });

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
