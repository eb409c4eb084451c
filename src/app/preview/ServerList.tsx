import { createSignal, Show } from "solid-js";
import type { ServerView } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { stopServer } from "../container-host/calls.ts";
import { webContainerHere } from "../container-host/here.ts";
import { slugOf } from "../docs/names.ts";
import { formatRoute } from "../model/route.ts";
import { ByKey } from "../ui/ByKey.tsx";
import { Problem } from "../ui/Problem.tsx";
import { clock } from "../ui/format.ts";
import { keyOf, siteOf } from "./served/servers.ts";
import * as t from "../texts/servers-inside.ts";

export interface ServerListProps {
  readonly servers: readonly ServerView[];
  /** The key of the server whose page is shown; null: the project's own pages are. */
  readonly shown: string | null;
  readonly open: (server: ServerView | null) => void;
  readonly hasPages: boolean;
}

/** The servers of commands: in the built-in shell, or in the project's WebContainer. */
export function ServerList(props: ServerListProps) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [stopping, setStopping] = createSignal<string | null>(null);
  async function stop(server: ServerView) {
    setProblem(null);
    setStopping(keyOf(server));
    const answer = await stopServer(server.port, siteOf(server)?.dialogId ?? null);
    setStopping(null);
    // If the server has already ended, that is the desired result.
    if (!answer.ok && answer.kind !== "missing") setProblem(answer.message);
  }
  return (
    <section class="servers" aria-label={t.title}>
      <ul>
        <Show when={props.hasPages}>
          <li>
            <button type="button" class="quiet" aria-pressed={props.shown === null} onClick={() => props.open(null)}>
              {t.files}
            </button>
          </li>
        </Show>
        <ByKey each={props.servers} by={(server) => keyOf(server) ?? ""}>
          {(server) => (
            <li>
              <button
                type="button"
                class="quiet"
                aria-pressed={props.shown === keyOf(server())}
                aria-label={siteOf(server()) ? t.openLocal(server().port) : t.openPort(server().port)}
                onClick={() => props.open(server())}
              >
                {siteOf(server()) ? t.local(server().port) : t.port(server().port)}
              </button>
              <Show when={server().owner}>
                {(owner) => (
                  <code>
                    <Visible text={owner().command} />
                  </code>
                )}
              </Show>
              <Show when={siteOf(server())}>
                {(site) => (
                  <a href={formatRoute({ tab: "dialogs", dialogId: site().dialogId })} title={t.ofDialog}>
                    <Visible text={slugOf(site().dialogId)} />
                  </a>
                )}
              </Show>
              <Show when={sinceOf(server())}>{(time) => <small>{t.since(time())}</small>}</Show>
              <button
                type="button"
                class="quiet"
                aria-label={t.stopPort(server().port)}
                title={whoOf(server())}
                disabled={stopping() === keyOf(server())}
                onClick={() => void stop(server())}
              >
                {t.stop}
              </button>
            </li>
          )}
        </ByKey>
      </ul>
      <Show when={!webContainerHere() && props.servers.some(({ url }) => url !== null)}>
        <p class="note">{t.elsewhere}</p>
      </Show>
      <Problem text={problem()} />
    </section>
  );
}

const sinceOf = ({ since }: ServerView) => (since === null ? null : clock(since));

function whoOf({ owner }: ServerView): string | undefined {
  if (owner === null) return t.unknownOwner;
  return owner.background === null ? t.inForeground : undefined;
}
