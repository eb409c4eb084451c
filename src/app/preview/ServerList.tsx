import { createSignal, For, Show } from "solid-js";
import type { ServerView } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { stopServer } from "../container-host/calls.ts";
import { computerHere } from "../container-host/here.ts";
import { Problem } from "../ui/Problem.tsx";
import * as t from "../texts/servers-inside.ts";

export interface ServerListProps {
  readonly servers: readonly ServerView[];
  /** The port whose page shows; null: the project's own pages do. */
  readonly shown: number | null;
  readonly open: (port: number | null) => void;
  readonly hasPages: boolean;
}

/** What listens in the project's WebContainer. */
export function ServerList(props: ServerListProps) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [stopping, setStopping] = createSignal<number | null>(null);
  async function stop(port: number) {
    setProblem(null);
    setStopping(port);
    const answer = await stopServer(port);
    setStopping(null);
    // One that has ended meanwhile is what was wanted.
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
        <For each={props.servers}>
          {(server) => (
            <li>
              <button
                type="button"
                class="quiet"
                aria-pressed={props.shown === server.port}
                aria-label={t.openPort(server.port)}
                onClick={() => props.open(server.port)}
              >
                {t.port(server.port)}
              </button>
              <Show when={server.owner}>
                {(owner) => (
                  <code>
                    <Visible text={owner().command} />
                  </code>
                )}
              </Show>
              <button
                type="button"
                class="quiet"
                aria-label={t.stopPort(server.port)}
                title={server.owner === null ? t.unknownOwner : undefined}
                disabled={stopping() === server.port}
                onClick={() => void stop(server.port)}
              >
                {t.stop}
              </button>
            </li>
          )}
        </For>
      </ul>
      <Show when={!computerHere()}>
        <p class="note">{t.elsewhere}</p>
      </Show>
      <Problem text={problem()} />
    </section>
  );
}
