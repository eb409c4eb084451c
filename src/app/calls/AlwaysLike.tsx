import { For, Index, Show } from "solid-js";
import type { CallView } from "../../protocol/index.ts";
import { patternSubject } from "../../dialog/pattern.ts";
import * as t from "../texts/always-like.ts";
import { Parts } from "../texts/Parts.tsx";
import { answerKeys } from "./Answers.tsx";
import type { Decisions } from "./decide.ts";

/**
 * Always allows calls like this one. The user chooses among authority lines that cover the call, each shown as it will be written. Nothing can be
 * typed, so no other line can result.
 */
export function AlwaysLike(props: { call: CallView; decisions: Decisions }) {
  const choices = () => props.call.patterns ?? [];
  const chosen = () => props.decisions.like(props.call);
  const isSet = () => chosen() !== null;
  const lines = () => choices()[chosen() ?? 0] ?? [];
  const about = (values: readonly string[]) => values.map(patternSubject);
  const isCommand = () => props.call.tool === "run_command";
  const explanation = () => `like-${props.call.hash.slice(0, 12)}`;
  return (
    <Show when={choices().length > 0}>
      <div class="always like">
        <label>
          <input
            type="checkbox"
            checked={isSet()}
            aria-describedby={isSet() ? explanation() : undefined}
            onChange={(event) => props.decisions.setLike(props.call, event.currentTarget.checked ? 0 : null)}
          />
          <span>
            <Parts
              of={isCommand() ? t.alwaysCommand : t.alwaysWrites}
              slots={{
                what: () => (
                  <Index each={about(lines())}>
                    {(what, at) => (
                      <>
                        {at === 0 ? "" : t.between}
                        <code>{what()}</code>
                      </>
                    )}
                  </Index>
                ),
              }}
            />{" "}
            <kbd aria-hidden="true">{answerKeys.like}</kbd>
          </span>
        </label>
        <Show when={isSet() && choices().length > 1}>
          <select
            aria-label={isCommand() ? t.whichCommands : t.whichFolder}
            onChange={(event) => props.decisions.setLike(props.call, event.currentTarget.selectedIndex)}
          >
            <For each={choices()}>{(choice, at) => <option selected={at() === chosen()}>{about(choice).join(t.between)}</option>}</For>
          </select>
        </Show>
        <Show when={isSet()}>
          <div class="like-lines" id={explanation()}>
            <p>{t.willWrite(lines().length)}</p>
            <Index each={lines()}>{(value) => <pre>{`> Authorized: ${value()}`}</pre>}</Index>
            <p>{isCommand() ? t.commandCovers(lines().some((value) => value.endsWith(" *"))) : t.writesCovers}</p>
          </div>
        </Show>
      </div>
    </Show>
  );
}
