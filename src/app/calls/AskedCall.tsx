import { Show } from "solid-js";
import type { CallView } from "../../engine/api.ts";
import * as t from "../texts/decisions.ts";
import { CallTitle } from "./Call.tsx";
import type { Decisions } from "./decide.ts";
import { payload, words } from "./describe.ts";
import { ReadToEnd } from "./ReadToEnd.tsx";

/** One of the calls that wait: its input whole, and where there are several, the choice about it. */
export function AskedCall(props: { call: CallView; decisions: Decisions; isOnly: boolean }) {
  return (
    <div class="ask-call">
      <div class="ask-line">
        <Show when={!props.isOnly || payload(props.call)}>
          <CallTitle call={props.call} />
        </Show>
        <Show when={!props.isOnly}>
          <fieldset class="choice">
            <legend class="unseen">{words(props.call.tool).wish}</legend>
            <label>
              <input
                type="radio"
                name={`choice-${props.call.id}`}
                checked={props.decisions.chosen(props.call) === "approve"}
                disabled={!props.decisions.isRead(props.call)}
                onChange={() => props.decisions.choose(props.call, "approve")}
              />
              {t.choiceApprove}
            </label>
            <label>
              <input
                type="radio"
                name={`choice-${props.call.id}`}
                checked={props.decisions.chosen(props.call) === "deny"}
                onChange={() => props.decisions.choose(props.call, "deny")}
              />
              {t.choiceDeny}
            </label>
          </fieldset>
        </Show>
      </div>
      <ReadToEnd call={props.call} onRead={() => props.decisions.markRead(props.call)} />
    </div>
  );
}
