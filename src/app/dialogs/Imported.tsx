import { For, Show } from "solid-js";
import type { PutDialogBody } from "../../engine/api.ts";
import { allowBody } from "../calls/decisions.ts";
import { plural } from "../calls/describe.ts";
import { networkBody } from "../calls/network.ts";
import { Visible } from "../calls/Visible.tsx";
import { hasImported } from "./has-imported.ts";
import type { Head } from "./open-dialog.ts";
import { secondsWords } from "./time-limit.ts";

/** What came with a zip and decides nothing, each to be accepted: that writes a line of the human's own. */
export function Imported(props: { head: Head; active: boolean; put: (body: PutDialogBody) => void }) {
  const id = () => props.head.dialogId;
  const isFork = () => props.head.forkedFrom !== null;
  return (
    <Show when={hasImported(props.head)}>
      <section class="may-do" aria-labelledby="imported">
        <h3 id="imported">{isFork() ? "Allowed before the fork, and does not count" : "Came with a zip, and does not count"}</h3>
        <p>
          {isFork()
            ? "This dialog is a fork. What you allowed in the other dialog decides nothing here until you accept it."
            : "This dialog was imported. What it allowed where it came from decides nothing here until you accept it."}
        </p>
        <ul class="allowed imported">
          <For each={props.head.imported.tools}>
            {(tool) => (
              <Row text={`Without asking: ${plural(tool)}`} disabled={props.active} accept={() => props.put(allowBody(id(), tool))} />
            )}
          </For>
          <For each={props.head.imported.allowed}>
            {(host) => <Row text={`Commands may reach ${host}`} accept={() => props.put(networkBody(id(), host, true))} />}
          </For>
          <For each={props.head.imported.refused}>
            {(host) => <Row text={`Commands may not reach ${host}`} accept={() => props.put(networkBody(id(), host, false))} />}
          </For>
          <Show when={props.head.imported.commandSeconds}>
            {(seconds) => (
              <Row
                text={`Commands may run ${secondsWords(seconds())}`}
                accept={() => props.put({ dialogId: id(), limits: { command: seconds() } })}
              />
            )}
          </Show>
        </ul>
      </section>
    </Show>
  );
}

function Row(props: { text: string; disabled?: boolean; accept: () => void }) {
  return (
    <li>
      <span>
        <Visible text={props.text} />
      </span>
      <button type="button" class="quiet small" disabled={props.disabled} onClick={() => props.accept()}>
        Accept
        <span class="unseen">
          {": "}
          <Visible text={props.text} />
        </span>
      </button>
    </li>
  );
}
