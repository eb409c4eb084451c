import { For, Show } from "solid-js";
import * as t from "../texts/decisions.ts";
import type { Decisions } from "./decide.ts";
import { words } from "./describe.ts";

/** Heard while the panel itself has the focus; each stands on its button. */
export const answerKeys = { deny: "D", explain: "W", always: "A" } as const;

export function Answers(props: { decisions: Decisions; isOnly: boolean; explain: () => void }) {
  /** Whoever has begun to choose one by one goes on so. */
  const allAtOnce = () => props.decisions.allRead() && props.decisions.untouched();
  return (
    <div class="buttons">
      <Show
        when={props.isOnly}
        fallback={
          <>
            <button
              type="button"
              class={allAtOnce() ? "quiet" : "primary"}
              disabled={!props.decisions.complete()}
              onClick={() => props.decisions.sendChoices()}
            >
              {t.sendChoices}
            </button>
            <button
              type="button"
              class={allAtOnce() ? "primary" : "quiet"}
              disabled={!props.decisions.allRead()}
              onClick={() => props.decisions.approveAll()}
            >
              {t.approveAll} <kbd>↵</kbd>
            </button>
          </>
        }
      >
        <button
          type="button"
          class="primary"
          disabled={!props.decisions.allRead()}
          aria-describedby="ask-hint"
          onClick={() => props.decisions.approveAll()}
        >
          {t.approve} <kbd>↵</kbd>
        </button>
      </Show>
      <button type="button" class="quiet" onClick={() => props.decisions.denyAll()}>
        {props.isOnly ? t.deny : t.denyAll} <kbd aria-hidden="true">{answerKeys.deny}</kbd>
      </button>
      <button type="button" class="quiet" onClick={() => props.explain()}>
        {t.denyAndSay} <kbd aria-hidden="true">{answerKeys.explain}</kbd>
      </button>
      <p id="ask-hint" class="hint">
        {props.decisions.allRead() ? "" : t.readFirst}
      </p>
    </div>
  );
}

/** What need not be asked again. The key is for all of them, and stands once. */
export function Always(props: { decisions: Decisions }) {
  const several = () => props.decisions.tools().length > 1;
  return (
    <div class="always">
      <For each={props.decisions.tools()}>
        {(tool) => (
          <label>
            <input
              type="checkbox"
              checked={props.decisions.isAlways(tool)}
              onChange={(event) => props.decisions.setAlways(tool, event.currentTarget.checked)}
            />
            <span>
              {words(tool).always}
              <Show when={!several()}>
                {" "}
                <kbd aria-hidden="true">{answerKeys.always}</kbd>
              </Show>
            </span>
          </label>
        )}
      </For>
      <Show when={several()}>
        <span class="always-all" aria-hidden="true">
          {t.allOfThem} <kbd>{answerKeys.always}</kbd>
        </span>
      </Show>
    </div>
  );
}

export function Reason(props: { text: string; edit: (text: string) => void; send: () => void; back: () => void }) {
  return (
    <form
      class="reason"
      onSubmit={(event) => {
        event.preventDefault();
        props.send();
      }}
    >
      <label>
        <span>{t.whyNot}</span>
        <input
          ref={(input) => queueMicrotask(() => input.focus())}
          value={props.text}
          onInput={(event) => props.edit(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Escape" && props.back()}
        />
      </label>
      <div class="buttons">
        <button type="submit" class="primary" disabled={props.text.trim() === ""}>
          {t.sendReason}
        </button>
        <button type="button" class="quiet" onClick={() => props.back()}>
          {t.withoutReason}
        </button>
      </div>
    </form>
  );
}
