import { Show, Suspense } from "solid-js";
import type { CallView } from "../../protocol/index.ts";
import { Markdown } from "../markdown/Markdown.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import * as t from "../texts/decisions.ts";
import { AlwaysLike } from "./AlwaysLike.tsx";
import type { Decisions } from "./decide.ts";
import { headed, measure, payload, words } from "./describe.ts";
import { ReadToEnd } from "./ReadToEnd.tsx";

const Exact = lazyPart(() => import("./Exact.tsx"));
const EditCall = lazyPart(() => import("./EditCall.tsx"));

export interface AskedCallProps {
  readonly call: CallView;
  /** Counted from 1. */
  readonly nth: number;
  readonly decisions: Decisions;
  readonly isOnly: boolean;
  /** Whether its arguments can be changed. */
  readonly canEdit: boolean;
  /** What the agent said before it; null if nothing. */
  readonly why: string | null;
}

/**
 * One of the waiting calls, with its whole input. If there are several calls, also the agent's reason, the choice for this call, and the reason for a
 * denial.
 */
export function AskedCall(props: AskedCallProps) {
  const chosen = () => props.decisions.chosen(props.call);
  return (
    <li class="ask-call" classList={{ chosen: chosen() !== null }}>
      <div class="ask-line">
        <Show when={!props.isOnly}>
          <span class="nth">{props.nth}</span>
        </Show>
        <Heading call={props.call} isOnly={props.isOnly} />
        <Show when={!props.isOnly}>
          <Show when={props.canEdit && chosen() !== "deny"}>
            <button type="button" class="quiet small" onClick={() => props.decisions.edits.toggle(props.call)}>
              {t.edit(props.decisions.edits.isOpen(props.call))}
            </button>
          </Show>
          <Choices {...props} />
        </Show>
      </div>
      <Show when={!props.isOnly && props.why}>
        {(why) => (
          // Scrollable content must be reachable with the keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          <blockquote class="why" tabindex={0}>
            <span class="unseen">{t.reasonOfAgent}</span>
            <Markdown text={why()} complete />
          </blockquote>
        )}
      </Show>
      <ReadToEnd call={props.call} decisions={props.decisions} />
      <Show when={props.canEdit && chosen() !== "deny"}>
        <Show when={props.decisions.edits.isOpen(props.call)}>
          <Suspense>
            <EditCall call={props.call} edits={props.decisions.edits} />
          </Suspense>
        </Show>
      </Show>
      <Show when={!props.isOnly && chosen() !== "deny" && props.decisions.edits.changed(props.call) === null}>
        <AlwaysLike call={props.call} decisions={props.decisions} />
      </Show>
      <Show when={!props.isOnly && chosen() === "deny"}>
        <label class="why-not">
          <span>{t.whyNotThis}</span>
          <textarea
            rows={1}
            value={props.decisions.reason(props.call)}
            onInput={(event) => props.decisions.explain(props.call, event.currentTarget.value)}
          />
        </label>
      </Show>
    </li>
  );
}

/** What the call does, and to what. A path is shown whole and exact here, and nowhere else. */
function Heading(props: { call: CallView; isOnly: boolean }) {
  const subject = () => headed(props.call);
  return (
    <Show when={!props.isOnly || subject()}>
      <h3>
        <Show when={subject()} fallback={words(props.call.tool).title}>
          {(named) => (
            <>
              <span class="verb">{words(props.call.tool).verb}</span>{" "}
              <code>
                <Suspense fallback={<span class="loading" />}>
                  <Exact text={named().value} reading="command" />
                </Suspense>
              </code>
            </>
          )}
        </Show>
      </h3>
      <Show when={payload(props.call)}>{(file) => <span class="measure">{measure(file().content)}</span>}</Show>
    </Show>
  );
}

function Choices(props: AskedCallProps) {
  const choice = (word: "approve" | "deny") => (
    <label>
      <input
        type="radio"
        name={`choice-${props.call.id}`}
        checked={props.decisions.chosen(props.call) === word}
        disabled={word === "approve" && !props.decisions.isRead(props.call)}
        onChange={() => props.decisions.choose(props.call, word)}
      />
      <span>{word === "approve" ? t.choiceApprove : t.choiceDeny}</span>
    </label>
  );
  return (
    <fieldset class="choice">
      <legend class="unseen">{t.choiceOf(props.nth, words(props.call.tool).wish)}</legend>
      {choice("approve")}
      {choice("deny")}
    </fieldset>
  );
}
