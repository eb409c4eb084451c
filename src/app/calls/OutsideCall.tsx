import { For, Show } from "solid-js";
import type { CallView } from "../../protocol/index.ts";
import * as t from "../texts/outside.ts";
import type { Decisions } from "./decide.ts";
import { AnswerQuestions } from "./AnswerQuestions.tsx";
import { visible } from "./visible.ts";

interface OutsideCallProps {
  readonly call: CallView;
  readonly framework: string;
  readonly decisions: Decisions;
}

/** What only calls of agents outside Vibey have: rules to keep, and questions to answer. */
export default function OutsideCall(props: OutsideCallProps) {
  return (
    <>
      <AnswerQuestions call={props.call} edits={props.decisions.edits} />
      <AlwaysOutside {...props} />
    </>
  );
}

/** Gives an agent outside Vibey the rules that it suggests for calls like this one. The rules are shown exactly, and the agent keeps them. */
function AlwaysOutside(props: OutsideCallProps) {
  const rules = () => props.call.rules ?? [];
  const isSet = () => props.decisions.like(props.call) !== null;
  const explanation = () => `rules-${props.call.hash.slice(0, 12)}`;
  return (
    // The rules are for the arguments that the agent sent, not for changed ones.
    <Show when={rules().length > 0 && props.decisions.edits.changed(props.call) === null}>
      <div class="always like">
        <label>
          <input
            type="checkbox"
            checked={isSet()}
            aria-describedby={explanation()}
            onChange={(event) => props.decisions.setLike(props.call, event.currentTarget.checked ? 0 : null)}
          />
          <span>{t.alwaysOutside(visible(props.framework))}</span>
        </label>
        <div class="like-lines" id={explanation()}>
          <p>{t.handsBack(rules().length)}</p>
          <For each={rules()}>
            {(rule) => (
              <pre>
                <bdi dir="ltr">{visible(rule)}</bdi>
              </pre>
            )}
          </For>
        </div>
      </div>
    </Show>
  );
}
