import { For, Show } from "solid-js";
import { ByKey } from "../ui/ByKey.tsx";
import { words } from "../calls/describe.ts";
import { allHostWords, hostWord, hostWords, networkBody } from "../calls/network.ts";
import { revokeBody } from "../calls/decisions.ts";
import { visible } from "../calls/visible.ts";
import { Visible } from "../calls/Visible.tsx";
import type { HostWord } from "../../dialog/ids.ts";
import type { PutDialogBody } from "../../protocol/index.ts";
import * as t from "../texts/leave.ts";
import { hasImported } from "./has-imported.ts";
import type { Head } from "./running.ts";

export interface LeaveProps {
  readonly head: Head;
  /** An agent is working, so its tools' permissions can't be changed now. Its hosts can. */
  readonly active: boolean;
  /** Resolves to whether the engine accepted it. */
  readonly put: (body: PutDialogBody) => Promise<boolean>;
}

/** What the user lets this dialog do without asking, each with a button that ends it, and the hosts in one line. Nothing if there are none. */
export function LeaveLines(props: LeaveProps & { readonly details: () => void }) {
  const hosts = () => hostWords(props.head.network);
  return (
    <Show when={props.head.authorized.length > 0 || hosts() !== null || hasImported(props.head)}>
      <div class="column leave" classList={{ "at-work": props.active }}>
        <Show when={hasImported(props.head)}>
          <p class="allowed">
            <span>{props.head.forkedFrom === null ? t.importedNote : t.forkedNote}</span>
            <button type="button" class="quiet small" aria-label={t.lookExactly} onClick={() => props.details()}>
              {t.look}
            </button>
          </p>
        </Show>
        <Tools {...props} />
        <Show when={hosts()}>
          {(line) => (
            <p class="allowed hosts">
              <span>{line()}</span>
              <button type="button" class="quiet small" aria-label={t.changeExactly} onClick={() => props.details()}>
                {t.change}
              </button>
            </p>
          )}
        </Show>
      </div>
    </Show>
  );
}

/** The same permissions one by one, with the hosts. */
export function Leave(props: LeaveProps) {
  return (
    <div class="leave">
      <Tools {...props} />
      <Hosts {...props} />
    </div>
  );
}

function Tools(props: LeaveProps) {
  return (
    <Show when={props.head.authorized.length > 0}>
      <ul class="allowed" aria-label={t.allowedTools}>
        <li aria-hidden="true">{t.allowedToolsBefore}</li>
        <For each={props.head.authorized}>
          {(tool) => (
            <li>
              <span>{words(tool).all}</span>
              <button
                type="button"
                class="quiet small"
                disabled={props.active}
                onClick={() => void props.put(revokeBody(props.head.dialogId, tool))}
              >
                {t.askAgain}
              </button>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}

function Hosts(props: LeaveProps) {
  const hosts = () => props.head.network.hosts;
  async function choose(select: HTMLSelectElement, host: string, before: HostWord) {
    const chosen = allHostWords.find((one) => one === select.value);
    if (chosen === undefined) return;
    // The page shows what is in effect: a refused choice is not.
    if (!(await props.put(networkBody(props.head.dialogId, host, chosen))) && select.value === chosen) select.value = before;
  }
  return (
    <Show when={hosts().length > 0}>
      <ul class="allowed by-host" aria-label={t.hosts}>
        <li aria-hidden="true">{t.hostsBefore}</li>
        <ByKey each={hosts()} by={({ host }) => host}>
          {(one) => (
            <li>
              <span class="host">
                <Visible text={one().host} />
              </span>
              <select
                aria-label={t.mayDoAt(visible(one().host))}
                onChange={({ currentTarget }) => void choose(currentTarget, one().host, one().word)}
              >
                <For each={allHostWords}>
                  {(word) => (
                    <option value={word} selected={word === one().word}>
                      {hostWord(word)}
                    </option>
                  )}
                </For>
              </select>
            </li>
          )}
        </ByKey>
      </ul>
    </Show>
  );
}
