import { For, Show } from "solid-js";
import type { CallView } from "../../protocol/index.ts";
import * as t from "../texts/decisions.ts";
import type { Decisions } from "./decide.ts";
import { words } from "./describe.ts";

/** These keys work anywhere in the panel except in a text field. Each is shown on its button. */
export const answerKeys = { deny: "D", explain: "W", edit: "E", always: "A", like: "L" } as const;

export interface AnswersProps {
  readonly decisions: Decisions;
  /** The only call; null if there are several. */
  readonly only: CallView | null;
  readonly canEdit: boolean;
  /** Whether the calls have been there long enough to be approved. */
  readonly steady: boolean;
  /** Whether unread parts have waited long enough to be mentioned. */
  readonly late: boolean;
  readonly showNext: () => void;
  readonly explain: () => void;
}

/**
 * The one filled button says what it does: first it shows what has not been in view, then it approves or sends. The two buttons are never in the same
 * place, so that a second click on the first can't press the other.
 */
export function Answers(props: AnswersProps) {
  const step = () => props.decisions.step();
  const isOnly = () => props.only !== null;
  const changed = () => props.only !== null && props.decisions.edits.changed(props.only) !== null;
  const isShut = () => step() === "next" || props.decisions.isBroken() || !props.steady;
  const left = () => props.decisions.unread().length;
  const total = () => props.decisions.open().length;
  const done = () => total() - props.decisions.count(null);
  /** Some calls are decided, so the others are "the rest". */
  const rest = () => done() > 0;
  return (
    <>
      <p id="ask-hint" class="hint">
        <Show when={!isOnly() && rest()}>
          <span>{t.decided(done(), total())}</span>
        </Show>
        <Show when={step() === "next" && props.late}>
          <span>{isOnly() ? t.readFirst : t.readAllFirst(left())}</span>
          <button type="button" class="primary" onClick={() => props.showNext()}>
            {isOnly() ? t.showRest : t.showNext} <kbd aria-hidden="true">↵</kbd>
          </button>
        </Show>
      </p>
      <div class="buttons">
        <Show when={step() !== "send"}>
          <button
            type="button"
            class={step() === "next" ? "quiet" : "primary"}
            disabled={isShut()}
            aria-describedby="ask-hint"
            onClick={() => props.decisions.approveRest()}
          >
            {isOnly() ? (changed() ? t.approveChanged : t.approve) : rest() ? t.approveRest : t.approveAll}{" "}
            <Show when={step() !== "next"}>
              <kbd aria-hidden="true">↵</kbd>
            </Show>
          </button>
        </Show>
        <Show
          when={step() === "send"}
          fallback={
            <button type="button" class="quiet" onClick={() => void props.decisions.denyRest()}>
              {isOnly() ? t.deny : rest() ? t.denyRest : t.denyAll} <kbd aria-hidden="true">{answerKeys.deny}</kbd>
            </button>
          }
        >
          <button type="button" class="primary" disabled={isShut()} onClick={() => props.decisions.approveRest()}>
            {t.sendChoices} <kbd aria-hidden="true">↵</kbd>
          </button>
        </Show>
        <Show when={isOnly()}>
          <button type="button" class="quiet" onClick={() => props.explain()}>
            {t.denyAndSay} <kbd aria-hidden="true">{answerKeys.explain}</kbd>
          </button>
        </Show>
        <Show when={props.canEdit && props.only}>
          {(call) => (
            <button type="button" class="quiet" onClick={() => props.decisions.edits.toggle(call())}>
              {t.edit(props.decisions.edits.isOpen(call()))} <kbd aria-hidden="true">{answerKeys.edit}</kbd>
            </button>
          )}
        </Show>
      </div>
    </>
  );
}

/** Checkboxes for tools that need no more approval. The key toggles all of them, and is shown only once. */
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
