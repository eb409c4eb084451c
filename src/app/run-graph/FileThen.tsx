import { Match, Show, Switch } from "solid-js";
import { visible } from "../calls/visible.ts";
import { createLatest } from "../model/api/latest.ts";
import { Problem } from "../ui/Problem.tsx";
import * as t from "../texts/run-graph.ts";
import { readTextThen } from "./files-then.ts";

/** The maximum number of UTF-16 units of a file that are shown. */
const most = 100_000;

/** A file's text at the moment of an event. */
export function FileThen(props: { path: string; event: string }) {
  const answer = createLatest(
    () => ({ path: props.path, event: props.event }),
    async ({ path, event }) => ({ path, event, read: await readTextThen(event, path) }),
  );
  /** null: there is no answer yet, or only one for what was shown before. */
  const read = () => {
    const now = answer();
    return now !== null && now.path === props.path && now.event === props.event ? now.read : null;
  };
  const text = () => {
    const now = read();
    return now?.ok === true ? now.value : null;
  };
  const problem = () => {
    const now = read();
    return now?.ok === false ? t.fileThenNotRead(now.message) : null;
  };
  return (
    <section class="file-then" aria-label={t.fileThen}>
      <h3>{t.fileThen}</h3>
      <Problem text={problem()} />
      <Switch fallback={<pre>{visible((text() ?? "").slice(0, most))}</pre>}>
        <Match when={read()?.ok !== true}>
          <p class="hint">{t.loading}</p>
        </Match>
        <Match when={text() === null}>
          <p class="hint">{t.noFileThen}</p>
        </Match>
        <Match when={text() === undefined}>
          <p class="hint">{t.fileThenUnknown}</p>
        </Match>
      </Switch>
      <Show when={(text() ?? "").length > most}>
        <p class="hint">{t.fileThenCut}</p>
      </Show>
    </section>
  );
}
