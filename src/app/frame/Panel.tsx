import { type ComponentProps, Match, Suspense, Switch } from "solid-js";
import DocsTab from "../docs/DocsTab.tsx";
import * as t from "../texts/frame.ts";
import type { Tab } from "../model/route.ts";
import type { ProjectTask } from "../model/project.ts";
import type { Shown } from "../model/shown.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

export const loadDialogs = () => import("../dialogs/DialogsTab.tsx");
const DialogsTab = lazyPart(loadDialogs);
const HistoryView = lazyPart(() => import("../history/HistoryView.tsx"));
const AgentsPart = lazyPart(() => import("../agents/AgentsPart.tsx"));
const RunGraph = lazyPart(() => import("../run-graph/RunGraph.tsx"));
const StationsPage = lazyPart(() => import("../stations/StationsPage.tsx"));
const CostView = lazyPart(() => import("../cost/CostView.tsx"));

export interface PanelProps extends Omit<ComponentProps<typeof DialogsTab>, "target" | "text"> {
  readonly shown: Shown;
  readonly files: ComponentProps<typeof DocsTab>["files"];
  readonly begin: (task: ProjectTask) => void;
}

/** The page that the route names: docs, dialogs, agents, stations, history, or cost. */
export function Panel(props: PanelProps) {
  const download = () => props.begin({ kind: "export", scope: "all" });
  return (
    <div
      class="panel"
      id="panel"
      role={props.shown.tab() === null ? "group" : "tabpanel"}
      {...panelName(
        props.shown.tab(),
        props.shown.agents() || props.shown.graph()
          ? t.agents
          : props.shown.stations()
            ? t.stations
            : props.shown.cost() === false
              ? t.history
              : t.cost,
      )}
    >
      <Suspense>
        <Switch
          fallback={
            <DialogsTab
              router={props.router}
              events={props.events}
              list={props.list}
              drafts={props.drafts}
              providers={props.providers}
              notices={props.notices}
              starter={props.starter}
              guide={props.guide}
              target={props.shown.dialog()?.dialogId ?? null}
              text={props.shown.dialog()?.text}
            />
          }
        >
          <Match when={props.shown.tab() === "docs"}>
            <DocsTab
              router={props.router}
              files={props.files}
              drafts={props.drafts}
              events={props.events}
              notices={props.notices}
              target={props.shown.file()}
            />
          </Match>
          <Match when={props.shown.agents()}>
            {(place) => <AgentsPart place={place()} router={props.router} events={props.events} download={download} />}
          </Match>
          <Match when={props.shown.graph()}>
            {(place) => (
              <RunGraph
                place={place()}
                router={props.router}
                events={props.events}
                dialogs={props.list}
                ready={props.providers.ready}
                files={props.files}
                drafts={props.drafts}
                notices={props.notices}
                download={download}
              />
            )}
          </Match>
          <Match when={props.shown.stations()}>
            <StationsPage events={props.events} list={props.list} settings={() => props.providers.settings("claude")} />
          </Match>
          <Match when={props.shown.cost()}>{(page) => <CostView page={page()} />}</Match>
          <Match when={props.shown.historyPage()}>
            {(place) => <HistoryView place={place()} router={props.router} events={props.events} dialogs={props.list.dialogs()} />}
          </Match>
        </Switch>
      </Suspense>
    </div>
  );
}

const panelName = (tab: Tab | null, place: string) => (tab === null ? { "aria-label": place } : { "aria-labelledby": `tab-${tab}` });
