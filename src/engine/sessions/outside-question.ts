import { isJsonObject } from "../../dialog/json.ts";
import type { Call, Dialog, Json, JsonObject } from "../../dialog/model.ts";
import { isRecord } from "../../dialog/outside.ts";
import { isAsked, lastCalls } from "../turn/machine/queries.ts";

/** A question of an outside agent to its user, asked as a call of a tool whose arguments include the answer. */
export interface OutsideQuestion {
  readonly prompt: string;
  /** The suggested answers. Other answers are accepted too. */
  readonly options: readonly string[];
  /** Returns the arguments with this answer. */
  answered(text: string): JsonObject;
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Null: the call asks nothing, or it asks several questions, which a single text can't answer. */
export function outsideQuestion(dialog: Pick<Dialog, "format">, { name, input }: Pick<Call, "name" | "input">): OutsideQuestion | null {
  const { questions, answers } = input;
  if (!isRecord(dialog) || name !== "AskUserQuestion" || !isList(questions) || !isJsonObject(answers)) return null;
  const [only, ...others] = questions;
  if (others.length > 0 || !isJsonObject(only) || typeof only["question"] !== "string") return null;
  const { question: prompt, options } = only;
  const labels = isList(options) ? options.map((option) => (isJsonObject(option) ? option["label"] : undefined)) : [];
  return {
    prompt,
    options: labels.filter((label) => typeof label === "string"),
    answered: (text) => ({ ...input, answers: { [prompt]: text } }),
  };
}

/** The waiting call, if it is the only one and such a question. Otherwise null. */
export function openOutsideQuestion(dialog: Dialog): { readonly call: Call; readonly question: OutsideQuestion } | null {
  const [call, ...others] = lastCalls(dialog).filter(isAsked);
  const question = call && others.length === 0 ? outsideQuestion(dialog, call) : null;
  return call && question ? { call, question } : null;
}
