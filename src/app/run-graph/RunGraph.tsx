import { createEffect, createMemo, createSignal, Show, Suspense, Switch, Match, For, untrack } from "solid-js";
import type { RunGraph } from "../../protocol/index.ts";
import { stateNow } from "../../protocol/graph/live.ts";
import { Visible } from "../calls/Visible.tsx";
import { visible } from "../calls/visible.ts";
import type { DialogList } from "../dialogs/list.ts";
import type { Drafts } from "../docs/drafts.ts";
import type { FileLists } from "../docs/files.ts";
import { slugOf } from "../docs/names.ts";
import { RunControls } from "../agents/run/RunControls.tsx";
import { RunLimits } from "../agents/run/RunLimits.tsx";
import { createRuns } from "../agents/run/runs.ts";
import type { EngineEvents } from "../model/api/events.ts";
import { formatRoute, type Router, type GraphPlace } from "../model/route.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import type { Notices } from "../ui/notices.ts";
import { Problem } from "../ui/Problem.tsx";
import * as t from "../texts/run-graph.ts";
import { AgentInspector } from "./AgentInspector.tsx";
import { AgentTree } from "./AgentTree.tsx";
import { foldCompleted, noneHidden } from "./completed.ts";
import { GraphView } from "./GraphView.tsx";
import { Explorer } from "./Explorer.tsx";
import { FileInspector } from "./FileInspector.tsx";
import { createFilesThen } from "./files-then.ts";
import { FileThen } from "./FileThen.tsx";
import { fileOf } from "./file-route.ts";
import { fileId, layoutOf, nodesOf } from "./layout.ts";
import { PaneEdge } from "./PaneEdge.tsx";
import { createPaneWidths } from "./pane-widths.ts";
import { runsOf, summaryOf } from "./run-list.ts";
import { RunLog } from "./RunLog.tsx";
import { Scrubber } from "./Scrubber.tsx";
import { createSteps } from "./steps.ts";
import { onChange } from "../ui/on-change.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./run-graph.css";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./inspector.css";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./run-log.css";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./scrubber.css";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./explorer.css";

export interface RunGraphProps {
  readonly place: GraphPlace;
  readonly router: Router;
  readonly events: EngineEvents;
  readonly dialogs: DialogList;
  readonly files: FileLists;
  readonly drafts: Drafts;
  readonly notices: Notices;
  readonly ready: (...names: readonly string[]) => Promise<boolean>;
  /** Starts an export of the project. */
  readonly download: () => void;
}

/** The style sheet's condition for showing one pane at a time. */
const narrow = "(max-width: 46rem)";
type View = "graph" | "tree" | "editor";
const RunEditor = lazyPart(() => import("./RunEditor.tsx"));

/** What a run of agents did: who launched whom, what they read and wrote, and everything known about each. */
export default function RunGraph(props: RunGraphProps) {
  /** What the sheet on a phone shows instead of the selection; null: the selection, or there is no sheet. */
  const [asked, setAsked] = createSignal<"log" | "files" | null>(null);
  /** Whether it is known which dialogs launched which. Before, any dialog could be the root of a run. */
  const [known, setKnown] = createSignal(false);
  const [view, setView] = createSignal<View>(matchMedia(narrow).matches ? "tree" : "graph");
  const [withFiles, setWithFiles] = createSignal(true);
  const [touched, setTouched] = createSignal(false);
  const [collapse, setCollapse] = createSignal(false);
  const runs = createMemo(() => runsOf(props.dialogs.dialogs()));
  const run = createMemo(() => props.place.run ?? runs()[0]?.dialogId ?? null);
  /** The runs that can be chosen, including the one shown. */
  const runIds = createMemo(() => [...new Set([...runs().map(({ dialogId }) => dialogId), ...(run() === null ? [] : [run() ?? ""])])]);
  // The shown run stays: a run that starts in the meantime must not appear under the pointer.
  createEffect(() => {
    const first = run();
    if (props.place.run === null && first !== null && known())
      props.router.replace({ tab: "agents", graph: { run: first, of: untrack(() => props.place.of) } });
  });
  // The engine's events live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const timeline = createSteps(run, props.events);
  // oxlint-disable-next-line solid/reactivity
  const list = createRuns(props.events);
  const held = () => list.runs().find(({ runId }) => runId === run());
  onChange(
    () => props.dialogs.loaded(),
    (loaded) => loaded && void props.dialogs.look("all").then(() => setKnown(true)),
  );

  const listed = createMemo(() => new Map(props.dialogs.dialogs().map((one) => [one.dialogId, one])));
  const steps = () => timeline.timeline().steps;
  /** The number of steps at the shown moment; null: the present. */
  const [past, setPast] = createSignal<number | null>(null);
  onChange(
    () => run(),
    () => setPast(null),
  );
  /** The current graph. The layout is computed from it, so nodes keep their positions during replay. */
  const present = createMemo((): RunGraph => {
    const { agents, files, edges } = timeline.timeline().at(steps().length).graph(run());
    return { agents: agents.map((agent) => ({ ...agent, state: stateNow(agent, listed().get(agent.dialogId)) })), files, edges };
  });
  const graph = createMemo((): RunGraph => {
    const moment = past();
    return moment === null ? present() : timeline.timeline().at(moment).graph(run());
  });
  const agents = createMemo(() => new Map(graph().agents.map((agent) => [agent.dialogId, agent])));
  const files = createMemo(() => new Map(graph().files.map((file) => [fileId(file.path), file])));
  const completed = createMemo(() => (collapse() ? foldCompleted(graph().agents) : noneHidden));
  /** Stays the same while no node is added or removed, so that changes within nodes don't move them. */
  const nodes = createMemo(() => nodesOf(present(), withFiles(), completed().hidden), [], { equals: sameNodes });
  const layout = createMemo(() => layoutOf(nodes()));
  const selected = () => props.place.of;
  const agent = () => agents().get(selected() ?? "");
  const file = () => files().get(selected() ?? "");
  const pastStep = () => (past() === null ? undefined : steps()[(past() ?? 0) - 1]);
  /** The last event at the shown moment; null: the present. */
  const eventThen = () => (past() === null ? null : (steps()[Math.max(0, (past() ?? 0) - 1)]?.cursor ?? null));
  const filesThen = createFilesThen(eventThen);
  /** A file of the past that no agent of the run touched. */
  const pathThen = () => (eventThen() !== null && selected()?.startsWith("/") === true ? (selected() ?? "").slice(1) : null);
  /** The first event that hasn't happened at that moment. */
  const notYet = () => (past() === null ? null : (steps()[past() ?? 0]?.cursor ?? null));

  function choose(of: string | null) {
    setAsked(null);
    props.router.go({ tab: "agents", graph: { run: run(), of: of === selected() ? null : of } });
  }
  const [sheet, setSheet] = createSignal<HTMLElement>();
  function close() {
    // The sheet in front of the selection closes first.
    if (asked() !== null) setAsked(null);
    else if (selected() !== null) choose(null);
  }
  const panes = createPaneWidths();
  /** The file that the editor shows; null: no file is selected. */
  const edited = createMemo(
    () => file()?.path ?? agent()?.agentId ?? (selected()?.startsWith("/") === true ? (selected() ?? "").slice(1) : null),
  );
  /** A click on a file: if there is room, the editor replaces the graph. */
  function edit(path: string, event: MouseEvent) {
    if (matchMedia(narrow).matches || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setView("editor");
    if (selected() !== fileId(path)) choose(fileId(path));
  }
  createEffect(() => sheet()?.addEventListener("keydown", ({ key }) => key === "Escape" && close()));
  const isOpen = () => selected() !== null || asked() !== null;
  const explorer = () => (
    <Explorer
      files={props.files}
      drafts={props.drafts}
      notices={props.notices}
      router={props.router}
      agents={graph().agents}
      past={past() === null ? null : { paths: filesThen.paths(), problem: filesThen.problem() }}
      choose={(path) => choose(fileId(path))}
      edit={edit}
    />
  );
  onChange(isOpen, (now) => {
    if (now && matchMedia(narrow).matches) requestAnimationFrame(() => sheet()?.focus());
  });

  return (
    <section class="run-graph" aria-label={t.graph}>
      <Show when={runs().length > 0}>
        <header class="run-graph-head">
          <label>
            <span class="unseen">{t.run}</span>
            <select onChange={(event) => props.router.go({ tab: "agents", graph: { run: event.currentTarget.value, of: null } })}>
              <For each={runIds()}>
                {(id) => (
                  <option value={id} selected={id === run()}>
                    {t.runOf(visible(slugOf(id)), runs().find(({ dialogId }) => dialogId === id)?.agents ?? agents().size)}
                  </option>
                )}
              </For>
            </select>
          </label>
          <p class="run-graph-summary">{summaryOf(graph().agents)}</p>
          <Show when={held()}>
            {(one) => (
              <>
                <RunControls run={one()} again={list.again} />
                <RunLimits run={one()} again={list.again} />
              </>
            )}
          </Show>
          <fieldset class="chips">
            <legend class="unseen">{t.view}</legend>
            <For each={["graph", "tree", "editor"] as const}>
              {(name) => (
                <button
                  type="button"
                  class="quiet small"
                  classList={{ "only-wide": name === "editor" }}
                  aria-pressed={view() === name}
                  onClick={() => setView(name)}
                >
                  {t.views[name]}
                </button>
              )}
            </For>
            <button type="button" class="quiet small only-narrow" aria-pressed={asked() === "log"} onClick={() => setAsked("log")}>
              {t.log}
            </button>
            <button
              type="button"
              class="quiet small only-without-files"
              aria-pressed={asked() === "files"}
              onClick={() => setAsked("files")}
            >
              {t.agentFiles}
            </button>
          </fieldset>
          <div class="run-graph-options">
            <Show when={view() === "graph"}>
              <Checkbox label={t.files} checked={withFiles()} set={setWithFiles} />
              <Checkbox label={t.touched} checked={touched()} set={setTouched} />
            </Show>
            <Show when={view() !== "editor"}>
              <Checkbox label={t.collapse} checked={collapse()} set={setCollapse} />
            </Show>
          </div>
          <Problem text={timeline.problem() === null ? null : t.notLoaded(timeline.problem() ?? "")} />
        </header>
      </Show>
      <Switch
        fallback={
          <div
            class="run-graph-panes"
            classList={{ inspects: isOpen() }}
            style={{ "--explorer": `${panes.widths().explorer}px`, "--inspector": `${panes.widths().inspector}px` }}
          >
            {explorer()}
            <PaneEdge of="explorer" width={panes.widths().explorer} set={(width) => panes.set("explorer", width)} />
            <Switch>
              <Match when={view() === "tree"}>
                <AgentTree agents={graph().agents} completed={completed()} selected={selected()} choose={choose} />
              </Match>
              <Match when={view() === "editor"}>
                <div class="run-editor">
                  <Show
                    when={past() === null && edited()}
                    keyed
                    fallback={<p class="empty">{past() === null ? t.nothingToEdit : t.editorIsNow}</p>}
                  >
                    {(path) => (
                      <Suspense>
                        <RunEditor
                          target={fileOf(path)}
                          router={props.router}
                          files={props.files}
                          drafts={props.drafts}
                          events={props.events}
                          notices={props.notices}
                          close={() => choose(null)}
                        />
                      </Suspense>
                    )}
                  </Show>
                </div>
              </Match>
              <Match when={view() === "graph"}>
                <GraphView
                  layout={layout()}
                  agents={agents()}
                  files={files()}
                  edges={graph().edges}
                  completed={completed()}
                  touched={touched()}
                  selected={selected()}
                  choose={choose}
                />
              </Match>
            </Switch>
            <PaneEdge of="inspector" width={panes.widths().inspector} set={(width) => panes.set("inspector", width)} />
            <aside class="inspector" ref={setSheet} tabindex={-1} aria-label={t.inspector}>
              <Show when={isOpen()}>
                <button
                  type="button"
                  class="quiet cross"
                  classList={{ "only-sheet": asked() === "log" && selected() === null }}
                  aria-label={t.close}
                  onClick={close}
                >
                  ×
                </button>
              </Show>
              <Switch
                fallback={
                  <Show when={asked() !== "files"} fallback={explorer()}>
                    <RunLog
                      run={run() ?? ""}
                      before={notYet()}
                      grown={timeline.timeline()}
                      agents={present().agents}
                      choose={choose}
                      download={() => props.download()}
                    />
                  </Show>
                }
              >
                {/* Each agent has its own inspector: text typed for one agent must not reach another. */}
                <Match when={asked() === null && agent()?.dialogId} keyed>
                  {(id) => (
                    <Show when={agents().get(id)}>
                      {(one) => (
                        <AgentInspector
                          agent={one()}
                          listing={listed().get(id)}
                          run={held()?.agents.some(({ dialogId }) => dialogId === id) === true ? held() : undefined}
                          again={list.again}
                          choose={choose}
                          steps={steps()}
                          past={past()}
                          ready={(...names) => props.ready(...names)}
                        />
                      )}
                    </Show>
                  )}
                </Match>
                <Match when={asked() === null && file()}>
                  {(one) => (
                    <FileInspector
                      file={one()}
                      choose={choose}
                      edit={view() === "editor" ? null : (event) => edit(one().path, event)}
                      steps={steps()}
                      until={pastStep()?.time ?? null}
                      event={filesThen.event()}
                      events={props.events}
                    />
                  )}
                </Match>
                <Match when={asked() === null && pathThen()}>
                  {(path) => (
                    <>
                      <header class="inspector-head">
                        <h2>
                          <Visible text={path()} />
                        </h2>
                      </header>
                      <Show when={filesThen.event()}>{(event) => <FileThen path={path()} event={event()} />}</Show>
                    </>
                  )}
                </Match>
              </Switch>
            </aside>
            <Scrubber steps={steps()} past={past()} go={setPast} />
          </div>
        }
      >
        <Match when={runs().length === 0 && props.dialogs.loaded()}>
          <div class="empty">
            <h2>{t.noRuns}</h2>
            <p>{t.noRunsHint}</p>
            <a class="action tonal" href={formatRoute({ tab: "agents" })}>
              {t.startRun}
            </a>
          </div>
        </Match>
        <Match when={!timeline.loaded()}>
          <p class="empty">{t.loading}</p>
        </Match>
      </Switch>
    </section>
  );
}

function Checkbox(props: { label: string; checked: boolean; set: (checked: boolean) => void }) {
  return (
    <label class="run-graph-check">
      <input type="checkbox" checked={props.checked} onChange={(event) => props.set(event.currentTarget.checked)} />
      {props.label}
    </label>
  );
}

type Nodes = ReturnType<typeof nodesOf>;
const sameNodes = (one: Nodes, other: Nodes): boolean =>
  one.length === other.length && one.every(({ id, parent }, index) => other[index]?.id === id && other[index].parent === parent);
