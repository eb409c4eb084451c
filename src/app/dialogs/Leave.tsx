import { For, Show } from "solid-js";
import { plural } from "../calls/describe.ts";
import { hostWords, networkBody } from "../calls/network.ts";
import { revokeBody } from "../calls/decisions.ts";
import { Visible } from "../calls/Visible.tsx";
import type { PutDialogBody } from "../../engine/api.ts";
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
            <span>
              {props.head.forkedFrom === null
                ? "This dialog came with a zip. What it allowed there does not count here."
                : "What was allowed in the dialog that this one is forked from does not count here."}
            </span>
            <button type="button" class="quiet small" onClick={() => props.details()}>
              Look<span class="unseen"> at what it allowed</span>
            </button>
          </p>
        </Show>
        <Tools {...props} />
        <Show when={hosts()}>
          {(words) => (
            <p class="allowed hosts">
              <span>
                <Visible text={words()} />
              </span>
              <button type="button" class="quiet small" onClick={() => props.details()}>
                Change<span class="unseen"> which hosts commands may reach</span>
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
      <ul class="allowed" aria-label="Allowed without asking">
        <li aria-hidden="true">Allowed without asking:</li>
        <For each={props.head.authorized}>
          {(tool) => (
            <li>
              <span>
                <Visible text={plural(tool)} />
              </span>
              <button
                type="button"
                class="quiet small"
                disabled={props.active}
                onClick={() => props.put(revokeBody(props.head.dialogId, tool))}
              >
                Ask again
              </button>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}

function Hosts(props: LeaveProps & { readonly hosts: readonly string[]; readonly allowed: boolean }) {
  const title = () => (props.allowed ? "Commands may reach" : "Commands may not reach");
  const change = () => (props.allowed ? "Refuse" : "Allow");
  return (
    <Show when={props.hosts.length > 0}>
      <ul class="allowed" aria-label={title()}>
        <li aria-hidden="true">{title()}:</li>
        <For each={props.hosts}>
          {(host) => (
            <li>
              <span class="host">
                <Visible text={host} />
              </span>
              <button type="button" class="quiet small" onClick={() => props.put(networkBody(props.head.dialogId, host, !props.allowed))}>
                {change()}
                <span class="unseen">
                  {" "}
                  <Visible text={host} />
                  {props.allowed ? " from now on" : ""}
                </span>
              </button>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
