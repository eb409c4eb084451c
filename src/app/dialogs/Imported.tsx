import { For, Show } from "solid-js";
import type { PutDialogBody } from "../../protocol/index.ts";
import { allowBody } from "../calls/decisions.ts";
import { words } from "../calls/describe.ts";
import { hostWord, networkBody } from "../calls/network.ts";
import { visible } from "../calls/visible.ts";
import * as t from "../texts/dialog-details.ts";
import * as limits from "../texts/time-limits.ts";
import { hasImported } from "./has-imported.ts";
import type { Head } from "./running.ts";

/** Permissions that came with a zip and aren't in effect. Accepting one writes a line of the user's own. */
export function Imported(props: { head: Head; active: boolean; put: (body: PutDialogBody) => void }) {
  const id = () => props.head.dialogId;
  const isFork = () => props.head.forkedFrom !== null;
  return (
    <Show when={hasImported(props.head)}>
      <section class="may-do" aria-labelledby="imported">
        <h3 id="imported">{isFork() ? t.forked : t.imported}</h3>
        <p>{isFork() ? t.forkedMeaning : t.importedMeaning}</p>
        <ul class="allowed imported">
          <For each={props.head.imported.tools}>
            {(tool) => <Row text={words(tool).withoutAsking} disabled={props.active} accept={() => props.put(allowBody(id(), tool))} />}
          </For>
          <For each={props.head.imported.hosts}>
            {({ host, word }) => (
              <Row
                text={word === "refused" ? t.mayNotReach(visible(host)) : t.mayReach(visible(host), hostWord(word))}
                accept={() => props.put(networkBody(id(), host, word))}
              />
            )}
          </For>
          <Show when={props.head.imported.commandSeconds}>
            {(seconds) => (
              <Row
                text={t.mayRun(limits.seconds(seconds()))}
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
      <span>{props.text}</span>
      <button
        type="button"
        class="quiet small"
        aria-label={t.acceptExactly(props.text)}
        disabled={props.disabled}
        onClick={() => props.accept()}
      >
        {t.accept}
      </button>
    </li>
  );
}
