import { createSignal, Show } from "solid-js";
import type { ChangeRunBody, RunView } from "../../../protocol/index.ts";
import { formatRoute } from "../../model/route.ts";
import { compact } from "../../overview/compact.ts";
import { Problem } from "../../ui/Problem.tsx";
import * as t from "../../texts/run-bar.ts";
import { changeRun } from "./load.ts";

/** What a run does now, and the user's hold on it. `isGraph`: its graph shows already. */
export function RunStatus(props: { run: RunView; again: () => void; isGraph?: boolean }) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  async function change(body: Omit<ChangeRunBody, "runId">) {
    if (busy()) return;
    setBusy(true);
    const done = await changeRun({ runId: props.run.runId, ...body });
    setBusy(false);
    setProblem(done.ok ? null : t.notDone(done.message));
    props.again();
  }
  const isPaused = () => props.run.pausedBy !== null;
  const isOver = () => props.run.agents.every(({ state }) => state === "completed" || state === "aborted" || state === "error");
  const words = () => {
    const { running, queued, asking, tokens } = props.run;
    return [t.summary(running, queued, compact(tokens)), asking === 0 ? "" : t.asking(asking)].filter(Boolean).join(" · ");
  };
  return (
    <div class="run-status">
      <output class="run-words">{words()}</output>
      <meter
        class="run-meter"
        min={0}
        max={Math.max(1, props.run.limits.tokens)}
        value={Math.min(props.run.tokens, props.run.limits.tokens)}
        aria-label={t.tokensMeter}
      />
      <span class="hint">{t.ofTokens(compact(props.run.limits.tokens))}</span>
      <Show when={isPaused()}>
        <p class="hint run-paused">{props.run.pausedBy === "tokens" ? t.pausedByTokens : t.pausedByYou}</p>
      </Show>
      <fieldset class="run-acts">
        <legend class="unseen">{t.actions}</legend>
        <Show when={!isOver() || isPaused()}>
          <button type="button" class="quiet edged" onClick={() => void change({ paused: !isPaused() })}>
            {isPaused() ? t.resume : t.pause}
          </button>
        </Show>
        <Show when={!isOver()}>
          <button type="button" class="quiet edged danger" onClick={() => void change({ status: "aborted" })}>
            {t.killAll}
          </button>
        </Show>
        <Show when={isPaused() && props.run.queued > 0}>
          <button type="button" class="quiet edged" onClick={() => void change({ status: "cleared" })}>
            {t.clearQueue}
          </button>
        </Show>
      </fieldset>
      <Show when={props.isGraph !== true}>
        <p class="run-links">
          <a class="action quiet" href={formatRoute({ tab: "agents", studio: { run: props.run.runId, of: null } })}>
            {t.graph}
          </a>
          <a class="action quiet" href={formatRoute({ tab: "dialogs", dialogId: props.run.runId })}>
            {t.dialog}
          </a>
        </p>
      </Show>
      <Problem text={problem()} />
    </div>
  );
}
