import { For, Show } from "solid-js";
import { words } from "../calls/describe.ts";
import { hostWords, networkBody } from "../calls/network.ts";
import { revokeBody } from "../calls/decisions.ts";
import { visible } from "../calls/visible.ts";
import { Visible } from "../calls/Visible.tsx";
import type { PutDialogBody } from "../../engine/api.ts";
import * as t from "../texts/leave.ts";
import { hasImported } from "./has-imported.ts";
import type { Head } from "./open-dialog.ts";

export interface LeaveProps {
  readonly head: Head;
  /** An agent is at work, so what it may use without asking can't be changed just now; hosts can. */
  readonly active: boolean;
  readonly put: (body: PutDialogBody) => void;
}

/** What the human let this dialog do without asking, each to be taken back; and the hosts in a line. Nothing when there is nothing. */
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

/** The same one by one, with the hosts. */
export function Leave(props: LeaveProps) {
  return (
    <div class="leave">
      <Tools {...props} />
      <Hosts {...props} hosts={props.head.network.allowed} allowed />
      <Hosts {...props} hosts={props.head.network.refused} allowed={false} />
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
                onClick={() => props.put(revokeBody(props.head.dialogId, tool))}
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

function Hosts(props: LeaveProps & { readonly hosts: readonly string[]; readonly allowed: boolean }) {
  const exactly = (host: string) => (props.allowed ? t.refuseExactly(host) : t.allowExactly(host));
  return (
    <Show when={props.hosts.length > 0}>
      <ul class="allowed" aria-label={props.allowed ? t.allowedHosts : t.refusedHosts}>
        <li aria-hidden="true">{props.allowed ? t.allowedHostsBefore : t.refusedHostsBefore}</li>
        <For each={props.hosts}>
          {(host) => (
            <li>
              <span class="host">
                <Visible text={host} />
              </span>
              <button
                type="button"
                class="quiet small"
                aria-label={exactly(visible(host))}
                onClick={() => props.put(networkBody(props.head.dialogId, host, !props.allowed))}
              >
                {props.allowed ? t.refuse : t.allow}
              </button>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
