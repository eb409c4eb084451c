import { createSignal, createUniqueId, For, Show } from "solid-js";
import type { AgentLevel } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { createLatest } from "../model/api/latest.ts";
import * as t from "../texts/agent-permissions.ts";
import { Problem } from "../ui/Problem.tsx";
import { failureOf, readLevels, writeLevel, valueOf } from "./load.ts";

/**
 * The permission levels of agents, and the lines of main that a choice would change. Only the user may write them. `asked`: increases when files have
 * changed. `changed`: called when main has changed.
 */
export function Levels(props: { asked: number; changed: () => void }) {
  const id = createUniqueId();
  const answer = createLatest(() => props.asked, readLevels);
  const [wanted, setWanted] = createSignal<AgentLevel | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [said, setSaid] = createSignal("");
  const [busy, setBusy] = createSignal(false);
  const now = () => valueOf(answer());
  const unread = () => {
    const why = failureOf(answer());
    return why === null ? null : t.notRead(why);
  };
  const change = () => {
    const level = wanted();
    return level === null || level === now()?.level ? null : (now()?.levels.find((one) => one.level === level) ?? null);
  };
  async function write() {
    const [shown, level] = [now(), wanted()];
    if (shown === null || level === null || busy()) return;
    setBusy(true);
    const done = await writeLevel({ level, etag: shown.etag });
    setBusy(false);
    setProblem(done.ok ? null : t.linesNotWritten(done.message));
    setSaid(done.ok ? t.linesWritten : "");
    if (done.ok) setWanted(null);
    props.changed();
  }
  return (
    <fieldset class="agent-levels" aria-describedby={`${id}-hint`}>
      <legend>{t.levels}</legend>
      <For each={now()?.levels.map(({ level }) => level) ?? []}>
        {(level) => (
          <label>
            <input type="radio" name={id} checked={(wanted() ?? now()?.level) === level} onChange={() => setWanted(level)} />{" "}
            {t.levelWords[level]}
          </label>
        )}
      </For>
      <p id={`${id}-hint`} class="hint">
        {now()?.level === null ? `${t.ownLines} ` : ""}
        {t.levelsHint}
      </p>
      <Show when={change()}>
        {(lines) => (
          <>
            <section class="diff" aria-label={t.mainChange}>
              <div class="diff-rows">
                <For each={lines().removes}>
                  {(line) => (
                    <div class="diff-row diff-remove">
                      <Visible text={`- ${line}`} />
                    </div>
                  )}
                </For>
                <For each={lines().adds}>
                  {(line) => (
                    <div class="diff-row diff-add">
                      <Visible text={`+ ${line}`} />
                    </div>
                  )}
                </For>
              </div>
            </section>
            <div class="buttons">
              <button type="button" class="primary" disabled={busy()} onClick={() => void write()}>
                {t.writeLines}
              </button>
              <button type="button" class="quiet" onClick={() => setWanted(null)}>
                {t.cancel}
              </button>
            </div>
          </>
        )}
      </Show>
      <output class="unseen">{said()}</output>
      <Problem text={problem() ?? unread()} />
    </fieldset>
  );
}
