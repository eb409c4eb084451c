import { createUniqueId, Show } from "solid-js";
import type { CallView } from "../../protocol/index.ts";
import * as t from "../texts/edit-call.ts";
import { ByKey } from "../ui/ByKey.tsx";
import { mostFields, ordered } from "./describe.ts";
import type { Edits } from "./edits.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./edit-call.css";

/** The arguments of a call as fields. What is typed here runs when the call is approved. */
export default function EditCall(props: { call: CallView; edits: Edits }) {
  const id = createUniqueId();
  const focusFirst = (form: HTMLFormElement) => queueMicrotask(() => form.querySelector("textarea")?.focus());
  return (
    <form ref={focusFirst} class="edit-call" aria-label={t.edit} onSubmit={(event) => event.preventDefault()}>
      {/* Further arguments stay as they are. */}
      <ByKey each={ordered(props.call.input).slice(0, mostFields)} by={([name]) => name}>
        {(field) => (
          <label>
            <span>{typeof field()[1] === "string" ? field()[0] : t.asJson(field()[0])}</span>
            <textarea
              rows={1}
              spellcheck={false}
              autocapitalize="off"
              autocomplete="off"
              value={props.edits.text(props.call, field()[0])}
              aria-describedby={`${id}-hint`}
              onInput={(event) => props.edits.type(props.call, field()[0], event.currentTarget.value)}
            />
          </label>
        )}
      </ByKey>
      <Show when={Object.keys(props.call.input).length - mostFields > 0}>
        <p class="hint">{t.othersStay(Object.keys(props.call.input).length - mostFields)}</p>
      </Show>
      <output id={`${id}-hint`} class="hint">
        <Show when={props.edits.isBroken(props.call)} fallback={props.edits.changed(props.call) === null ? t.unchanged : t.changed}>
          {t.broken}
        </Show>
      </output>
    </form>
  );
}
