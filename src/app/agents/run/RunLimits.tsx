import { createSignal, For } from "solid-js";
import type { RunView } from "../../../protocol/index.ts";
import { Problem } from "../../ui/Problem.tsx";
import * as t from "../../texts/run-bar.ts";
import { changeRun } from "./load.ts";
import { isCount, type LimitField, limitFields } from "./limit-fields.ts";

/** The slider's maximum for agents at a time. A higher number can be set when a run starts. */
const maxAtOnce = 5;

/** The limits of a run, which can be changed while it runs. They apply to agents that start afterwards. `again`: reads the run again. */
export function RunLimits(props: { run: RunView; again: () => void }) {
  const [problem, setProblem] = createSignal<string | null>(null);
  async function change(name: LimitField, typed: string) {
    if (!isCount(typed)) return setProblem(t.notNumber);
    const done = await changeRun({ runId: props.run.runId, limits: { [name]: Number(typed.trim()) } });
    setProblem(done.ok ? null : t.notDone(done.message));
    props.again();
    return undefined;
  }
  return (
    <details class="run-limits-now">
      <summary>{t.limitsNow(props.run.limits.agents, props.run.limits.depth)}</summary>
      <div class="run-limits">
        <label>
          <span>
            {t.atOnce} <b>{props.run.limits.agents}</b>
          </span>
          <input
            type="range"
            min={1}
            max={Math.max(maxAtOnce, props.run.limits.agents)}
            value={props.run.limits.agents}
            onChange={(event) => void change("agents", event.currentTarget.value)}
          />
        </label>
        <For each={limitFields.filter((name) => name !== "agents")}>
          {(name) => (
            <label>
              {t.limitNames[name]}
              <input
                inputmode="numeric"
                value={String(props.run.limits[name])}
                onChange={(event) => void change(name, event.currentTarget.value)}
              />
            </label>
          )}
        </For>
      </div>
      <p class="hint">{t.limitsHint}</p>
      <Problem text={problem()} />
    </details>
  );
}
