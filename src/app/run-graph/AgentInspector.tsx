import { createSignal, Show } from "solid-js";
import type { AgentNode, DialogListing, RunView, Step } from "../../protocol/index.ts";
import { ToolPermissions } from "../agents/ToolPermissions.tsx";
import { changeRun } from "../agents/run/load.ts";
import { Visible } from "../calls/Visible.tsx";
import { money } from "../cost/money.ts";
import { createOpenDialog } from "../dialogs/open-dialog.ts";
import { agentSlug, slugOf } from "../docs/names.ts";
import { setStatus } from "../model/api/calls.ts";
import { send } from "../model/api/send.ts";
import { formatRoute } from "../model/route.ts";
import { Problem } from "../ui/Problem.tsx";
import { moment } from "../ui/format.ts";
import { number } from "../ui/sizes.ts";
import * as t from "../texts/run-graph.ts";
import { AgentFeed } from "./AgentFeed.tsx";
import { snapshotAt } from "./dialog-snapshot.ts";
import { PropertyRow } from "./PropertyRow.tsx";
import { StateIcon } from "./StateIcon.tsx";
import { fileRoute } from "./file-route.ts";
import { whyOf } from "./why.ts";

export interface AgentInspectorProps {
  readonly agent: AgentNode;
  /** The current state of its dialog; undefined: not known. */
  readonly listing?: DialogListing | undefined;
  /** The run that it belongs to; undefined: none. `again`: reads the run again. */
  readonly run?: RunView | undefined;
  readonly again: () => void;
  readonly choose: (id: string) => void;
  readonly steps: readonly Step[];
  /** The number of steps at the shown moment; null: the present. */
  readonly past: number | null;
  readonly ready: (...names: readonly string[]) => Promise<boolean>;
}

/** Whether it can be stopped: it is working or queued. */
const isAtWork = ({ state, why }: AgentNode): boolean => state === "running" || state === "queued" || (state === "paused" && why === null);
/** Whether it can continue from its text. */
const canResume = ({ held, why }: AgentNode): boolean => held === "agent" || (held === null && why === "interrupted");

/** The unsent text for each agent, for the life of the page. */
const unsent = new Map<string, string>();

/** One agent: what it is and may do, what it was told, said and did, and what the user can do with it. */
export function AgentInspector(props: AgentInspectorProps) {
  const id = () => props.agent.dialogId;
  const open = createOpenDialog(id, () => {});
  const [problem, setProblem] = createSignal<string | null>(null);
  const [done, setDone] = createSignal("");
  const [changes, setChanges] = createSignal(0);
  /** Of the user's own agent. Null if it is another one. */
  const slug = () => (props.agent.agentId?.startsWith("vibey/") === true ? agentSlug(props.agent.agentId.slice("vibey/".length)) : null);
  const cut = () => (props.past === null ? null : snapshotAt(props.steps, props.past, id()));

  async function abort() {
    setDone("");
    const answer = await setStatus(id(), "waiting");
    setProblem(answer.ok ? null : t.notAborted(answer.message));
    if (answer.ok) setDone(t.aborted);
  }
  async function pause(runId: string, paused: boolean) {
    setDone("");
    const answer = await changeRun({ runId, dialogId: id(), paused });
    setProblem(answer.ok ? null : t.notPaused(answer.message));
    props.again();
  }
  async function say(prompt: string): Promise<boolean> {
    const to = id();
    if (!(await props.ready(open.head()?.provider ?? ""))) return false;
    const refused = await send({ dialogId: to, prompt, mentions: [] });
    setProblem(refused === null ? null : t.notSent(refused));
    return refused === null;
  }
  return (
    <>
      <header class="inspector-head">
        <span class="face" aria-hidden="true">
          {slugOf(id()).slice(0, 1).toUpperCase()}
        </span>
        <div>
          <h2>
            <Visible text={slugOf(id())} />
          </h2>
          <p class={`agent-state is-${props.agent.state}`}>
            <StateIcon state={props.agent.state} />
            {t.states[props.agent.state]}
          </p>
        </div>
      </header>
      <Show when={whyOf(props.agent, props.past === null ? props.listing : undefined)}>
        {(why) => <p class={`why is-${props.agent.state}`}>{why()}</p>}
      </Show>
      <dl class="facts">
        <Show when={props.agent.parent}>
          {(parent) => (
            <PropertyRow name={props.listing?.answers ? t.answersMention : t.launchedBy}>
              <button type="button" class="link" onClick={() => props.choose(parent())}>
                <Visible text={slugOf(parent())} />
              </button>
              , {t.depth(props.agent.depth)}
            </PropertyRow>
          )}
        </Show>
        <Show when={props.agent.agentId}>
          {(path) => (
            <PropertyRow name={t.definition}>
              <a href={formatRoute(fileRoute(path()))}>
                <Visible text={path()} />
              </a>
            </PropertyRow>
          )}
        </Show>
        <Show when={moment(props.agent.since)}>{(since) => <PropertyRow name={t.since}>{since()}</PropertyRow>}</Show>
        <PropertyRow name={t.tokens}>{props.agent.tokens === null ? t.unknown : number(props.agent.tokens)}</PropertyRow>
        <PropertyRow name={t.cost}>{props.agent.nanos === null ? t.unknown : money(props.agent.nanos)}</PropertyRow>
        <Show when={props.past === null && open.head()}>
          {(head) => (
            <PropertyRow name={t.runsFreely}>
              <Show when={head().authorized.length > 0} fallback={t.asksAlways}>
                <Visible text={head().authorized.join(", ")} />
              </Show>
            </PropertyRow>
          )}
        </Show>
      </dl>
      <Show when={props.past === null && slug()}>
        {(name) => <ToolPermissions slug={name()} asked={changes()} changed={() => setChanges(changes() + 1)} />}
      </Show>
      <div class="inspector-actions">
        <a class="action tonal" href={formatRoute({ tab: "dialogs", dialogId: id() })}>
          {t.openDialog}
        </a>
        <Show when={props.past === null && props.run}>
          {(run) => (
            <Show when={canResume(props.agent) || ((isAtWork(props.agent) || props.agent.state === "asks") && props.agent.held === null)}>
              <button type="button" class="quiet edged" onClick={() => void pause(run().runId, !canResume(props.agent))}>
                {canResume(props.agent) ? t.resumeAgent : t.pauseAgent}
              </button>
            </Show>
          )}
        </Show>
        <Show when={props.past === null && isAtWork(props.agent)}>
          <button type="button" class="quiet edged" onClick={() => void abort()}>
            {t.abort}
          </button>
        </Show>
      </div>
      <Problem text={problem()} />
      <output class="unseen">{done()}</output>
      <h3>{t.dialog}</h3>
      <AgentFeed open={open} cut={cut()} />
      <Show when={props.past === null && !isAtWork(props.agent) && props.agent.state !== "asks"}>
        <Reactivate dialogId={id()} say={say} />
      </Show>
    </>
  );
}

function Reactivate(props: { dialogId: string; say: (prompt: string) => Promise<boolean> }) {
  // Each inspector is for one agent.
  // oxlint-disable-next-line solid/reactivity
  const { dialogId } = props;
  const [text, setText] = createSignal(unsent.get(dialogId) ?? "");
  function type(next: string) {
    setText(next);
    unsent.set(dialogId, next);
  }
  const [busy, setBusy] = createSignal(false);
  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const prompt = text().trim();
    if (prompt === "" || busy()) return;
    setBusy(true);
    const sent = await props.say(prompt);
    setBusy(false);
    // It may no longer be shown, or may contain other text by now.
    if (sent && unsent.get(dialogId)?.trim() === prompt) type("");
  }
  return (
    <form class="reactivate" onSubmit={(event) => void submit(event)}>
      <label>
        <span>{t.reactivate}</span>
        <textarea rows={2} aria-label={t.newInput} value={text()} onInput={(event) => type(event.currentTarget.value)} />
      </label>
      <button type="submit" class="tonal" disabled={busy() || text().trim() === ""}>
        {t.send}
      </button>
    </form>
  );
}
