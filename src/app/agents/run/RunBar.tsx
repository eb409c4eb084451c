import { createEffect, createMemo, createSignal, For, Show } from "solid-js";
import type { AgentView, RunStarted } from "../../../protocol/index.ts";
import { type Answer, readDeed, readLimits, writeDeed } from "../../model/api/calls.ts";
import type { EngineEvents } from "../../model/api/events.ts";
import { createLatest } from "../../model/api/latest.ts";
import { visible } from "../../calls/visible.ts";
import { defaultProvider } from "../../providers/default-provider.ts";
import { Problem } from "../../ui/Problem.tsx";
import * as t from "../../texts/run-bar.ts";
import * as texts from "../../texts/agent-permissions.ts";
import { readAgents } from "../load.ts";
import { fieldsOf, isCount, limitFields, type LimitTexts, limitsTyped } from "./limit-fields.ts";
import { startRun } from "./load.ts";
import { createRuns } from "./runs.ts";
import { RunStatus } from "./RunStatus.tsx";

const demoPath = "agents/orchestrator.md";

interface RunBarProps {
  readonly events: EngineEvents;
  /** The agents that can start a run. */
  readonly agents: readonly AgentView[];
  /** Increases when files have changed. */
  readonly asked: number;
  /** Opens the export of the project as a zip. */
  readonly download: () => void;
}

/** Starts runs of agents, and controls the newest one. */
export function RunBar(props: RunBarProps) {
  // The engine's events live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const list = createRuns(props.events);
  const entries = createMemo(() =>
    props.agents.filter(({ isSystem, isActive }) => !isSystem && isActive).toSorted((one, other) => rank(one) - rank(other)),
  );
  const [chosen, setChosen] = createSignal<string | null>(null);
  const entry = () => entries().find(({ path }) => path === chosen()) ?? entries()[0];
  const [input, setInput] = createSignal("");
  /** The file whose agent may run freely, with the hash of its text; null: none. */
  const [allowed, setAllowed] = createSignal<Pick<AgentView, "path" | "hash"> | null>(null);
  const freely = () => allowed() !== null && allowed()?.path === entry()?.path && allowed()?.hash === entry()?.hash;
  const [typed, setTyped] = createSignal<Partial<LimitTexts>>({});
  // doc-main.md can change while the page is open.
  const inForce = createLatest(
    () => props.asked,
    () => readLimits(),
  );
  const limits = () => {
    const now = inForce();
    return fieldsOf(now?.ok === true ? now.value.run : null, typed());
  };
  /** The shown run: the one last started here, else the newest one when the page was opened. It stays, so that no click on it reaches another run. */
  const [held, setHeld] = createSignal<string | null>(null);
  const run = () => list.runs().find(({ runId }) => runId === held());
  createEffect<string | undefined>((shown) => {
    const [newest] = list.runs();
    const id = held();
    // A run that has just started is not in the list yet. A shown run that is no longer in the list was deleted.
    if (newest && run() === undefined && (id === null || id === shown)) setHeld(newest.runId);
    return run()?.runId;
  });
  const newer = () => list.runs()[0]?.runId !== held();
  /** The demo has started and its agent is not in the list yet. The form comes with the agent and would move the buttons of the run. */
  const [awaitsForm, setAwaitsForm] = createSignal(false);
  createEffect(() => {
    if (entry()) setAwaitsForm(false);
  });
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  const isWrong = () => limitFields.some((name) => !isCount(typed()[name] ?? "0"));

  /** Reads the form before the first await, because it may change afterwards. */
  async function start(agent: AgentView) {
    const wanted = { agent: agent.path, input: input(), hash: agent.hash, freely: freely(), limits: limitsTyped(typed()) };
    if (busy()) return;
    setBusy(true);
    const done = await startRun({ ...wanted, provider: (await defaultProvider()) ?? "demo" });
    took(done);
    // If the text has changed in the meantime, it is another task.
    if (done.ok && input() === wanted.input) setInput("");
  }
  async function play() {
    if (busy()) return;
    setBusy(true);
    const done = await startDemo();
    setAwaitsForm(done.ok && !entry());
    took(done);
  }
  function took(done: Answer<RunStarted>) {
    setBusy(false);
    setProblem(done.ok ? null : t.notDone(done.message));
    if (done.ok) setHeld(done.value.runId);
    list.again();
  }

  return (
    <section class="run-bar" aria-label={t.runs}>
      <Show when={entry()} fallback={<p class="hint">{t.noAgents}</p>}>
        {(agent) => (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void start(agent());
            }}
          >
            <div class="run-line">
              <select aria-label={t.agent} onChange={(event) => setChosen(event.currentTarget.value)}>
                <For each={entries()}>
                  {({ path }) => (
                    <option value={path} selected={path === agent().path}>
                      {t.runFile(visible(fileName(path)))}
                    </option>
                  )}
                </For>
              </select>
              <input
                class="run-task"
                aria-label={t.task(visible(agent().slug))}
                placeholder={t.task(visible(agent().slug))}
                value={input()}
                onInput={(event) => {
                  // From now on, this is a task for this agent, even if other files appear.
                  setChosen(agent().path);
                  setInput(event.currentTarget.value);
                }}
              />
              <button type="submit" class="tonal" disabled={busy() || input().trim() === "" || isWrong()}>
                {t.run}
              </button>
            </div>
            <fieldset class="run-choice">
              <legend class="unseen">{t.howFar}</legend>
              <label>
                <input type="radio" name="run-freely" checked={!freely()} onChange={() => setAllowed(null)} /> {t.ask}
              </label>
              <label>
                <input type="radio" name="run-freely" checked={freely()} onChange={() => setAllowed(agent())} /> {t.freely}
              </label>
              <p class="hint">
                {freely() ? t.freelyHint(visible(fileName(agent().path)), agent().hash.slice(0, 8), toolsOf(agent())) : t.askHint}
              </p>
              <Show when={allowed() !== null && !freely()}>
                <output class="hint">{t.allowedAnother(visible(fileName(allowed()?.path ?? "")))}</output>
              </Show>
            </fieldset>
            <details>
              <summary>{t.budgets}</summary>
              <div class="run-limits">
                <For each={limitFields}>
                  {(name) => (
                    <label>
                      {t.limitNames[name]}
                      <input
                        inputmode="numeric"
                        value={limits()[name]}
                        aria-invalid={!isCount(typed()[name] ?? "0")}
                        onInput={(event) => setTyped({ ...typed(), [name]: event.currentTarget.value })}
                      />
                    </label>
                  )}
                </For>
              </div>
            </details>
          </form>
        )}
      </Show>
      <Show when={list.isRead() && list.runs().length === 0}>
        <p class="run-demo">
          <button type="button" class="quiet edged" disabled={busy()} onClick={() => void play()}>
            {t.demo}
          </button>
          <span class="hint">{t.demoHint}</span>
        </p>
      </Show>
      <Problem text={problem() ?? (isWrong() ? t.notNumber : null) ?? (list.problem() === null ? null : t.notDone(list.problem() ?? ""))} />
      <Show when={!awaitsForm() && run()}>{(one) => <RunStatus run={one()} again={list.again} download={() => props.download()} />}</Show>
      <Show when={run() && newer()}>
        <p class="hint">
          {t.newerRun}{" "}
          <button type="button" class="quiet" onClick={() => setHeld(list.runs()[0]?.runId ?? null)}>
            {t.showNewer}
          </button>
        </p>
      </Show>
    </section>
  );
}

/** Adds the file of the demo's first agent to the project, unless a file with that name exists. */
async function startDemo(): Promise<Answer<RunStarted>> {
  const there = await readDeed(demoPath);
  if (!there.ok) {
    const written = await writeDeed(demoPath, t.demoFile);
    if (!written.ok) return written;
  }
  const agents = await readAgents();
  if (!agents.ok) return agents;
  const hash = agents.value.find(({ path }) => path === demoPath)?.hash;
  return startRun({ agent: demoPath, input: t.demoTask, ...(hash === undefined ? {} : { hash, freely: true }), provider: "demo" });
}

const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
/** Leading agents come first, then the user's own. */
const rank = ({ slug, place, path }: AgentView): number =>
  slug === "orchestrator" ? 0 : path.startsWith("agents/") ? 1 : place === "yours" ? 2 : 3;

/** The tools that it and the agents it launches can use, in words. */
function toolsOf({ tools }: AgentView): string {
  const all = ["vfs_read", "vfs_list", "vfs_write", "vfs_delete", "edit_file", "run_command", "spawn_agent", "signal_parent"];
  return all
    .filter((tool) => tools?.includes(tool) ?? true)
    .map((tool) => (texts.tools[tool] ?? tool).toLowerCase())
    .join(", ");
}
