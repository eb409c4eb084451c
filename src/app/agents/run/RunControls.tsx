import { createSignal, Show } from "solid-js";
import type { ChangeRunBody, RunView } from "../../../protocol/index.ts";
import { Problem } from "../../ui/Problem.tsx";
import * as t from "../../texts/run-bar.ts";
import { changeRun } from "./load.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./run-bar.css";

/** The user's control of a run: pause, resume, stop. `again`: reads the run again. */
export function RunControls(props: { run: RunView; again: () => void }) {
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
  return (
    <>
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
      <Problem text={problem()} />
    </>
  );
}
