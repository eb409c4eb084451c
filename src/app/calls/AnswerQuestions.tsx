import { For, Show } from "solid-js";
import type { CallView } from "../../protocol/index.ts";
import * as t from "../texts/outside.ts";
import type { Edits } from "./edits.ts";
import { type AskedQuestion, answersIn, chosenIn, questionsIn, withAnswer, withChoice } from "./questions.ts";
import { visible } from "./visible.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./answers.css";

/** The questions of Claude Code's `AskUserQuestion`. The agent gets what the user chooses or types. Shows nothing for other calls. */
export function AnswerQuestions(props: { call: CallView; edits: Edits }) {
  const text = () => props.edits.text(props.call, "answers");
  const answer = (question: string) => answersIn(text())[question] ?? "";
  const put = (question: string, words: string) => props.edits.type(props.call, "answers", withAnswer(text(), question, words));
  return (
    <For each={questionsIn(props.call)}>
      {(question) => <Question of={question} answer={answer(question.text)} put={(words) => put(question.text, words)} />}
    </For>
  );
}

function Question(props: { of: AskedQuestion; answer: string; put: (words: string) => void }) {
  const labels = () => props.of.options.map(({ label }) => label);
  const chosen = () => (props.of.several ? chosenIn(props.answer, labels()).chosen : new Set([props.answer]));
  const choose = (label: string, on: boolean) => props.put(props.of.several ? withChoice(props.answer, labels(), label, on) : label);
  return (
    <fieldset class="answers">
      <legend>{visible(props.of.text)}</legend>
      <For each={props.of.options}>
        {({ label, description }) => (
          <label class="check">
            <input
              type={props.of.several ? "checkbox" : "radio"}
              name={props.of.text}
              checked={chosen().has(label)}
              onChange={(event) => choose(label, event.currentTarget.checked)}
            />
            <span>
              {visible(label)}
              <Show when={description !== ""}>
                <span class="hint"> {visible(description)}</span>
              </Show>
            </span>
          </label>
        )}
      </For>
      <label class="field">
        <span>{t.yourAnswer}</span>
        <input value={props.answer} onInput={(event) => props.put(event.currentTarget.value)} />
      </label>
    </fieldset>
  );
}
