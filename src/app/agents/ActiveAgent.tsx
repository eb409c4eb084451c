import { createMemo, createSignal, Show } from "solid-js";
import type { OpenFile } from "../docs/open-file.ts";
import type { EngineEvents } from "../model/api/events.ts";
import * as t from "../texts/active-agent.ts";
import { Problem } from "../ui/Problem.tsx";
import { activeIn } from "./run/active-in.ts";
import { changeRun } from "./run/load.ts";
import { createRuns } from "./run/runs.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./agent-form.css";

export interface ActiveAgentProps {
  /** The path in the project. */
  readonly path: string;
  readonly file: OpenFile;
  readonly events: EngineEvents;
}

/** Shown above the file of an agent that is working in a run. A change takes effect at the agent's next activation, or when it is applied. */
export default function ActiveAgent(props: ActiveAgentProps) {
  // The engine's events live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const list = createRuns(props.events);
  const active = createMemo(() => activeIn(list.runs(), props.path));
  const [problem, setProblem] = createSignal<string | null>(null);
  const [done, setDone] = createSignal("");
  const [busy, setBusy] = createSignal(false);

  async function apply() {
    setBusy(true);
    setDone("");
    if (props.file.dirty()) await props.file.save();
    // The file itself reports why it was not saved.
    const failed = props.file.dirty() ? null : await tell();
    setBusy(false);
    setProblem(failed);
    if (failed === null && !props.file.dirty()) setDone(t.applied);
  }
  async function tell(): Promise<string | null> {
    for (const { runId, dialogId } of active()) {
      const answer = await changeRun({ runId, dialogId, apply: true });
      if (!answer.ok) return t.notApplied(answer.message);
    }
    return null;
  }
  return (
    <Show when={active().length > 0}>
      <div class="active-agent">
        <p>{t.isActive}</p>
        <button type="button" class="tonal" disabled={busy()} onClick={() => void apply()}>
          {t.apply}
        </button>
        <output>{done()}</output>
        <Problem text={problem()} />
      </div>
    </Show>
  );
}
