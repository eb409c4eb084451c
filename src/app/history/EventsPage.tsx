import { createMemo, createSignal, Match, Show, Switch } from "solid-js";
import type { DialogListing } from "../../protocol/index.ts";
import type { EngineEvents } from "../model/api/events.ts";
import { fetchLog } from "../model/api/log.ts";
import { type EventsOf, formatRoute, type Router } from "../model/route.ts";
import { save } from "../project/zip.ts";
import { CommandButton, linkCommand } from "../ui/CommandButton.tsx";
import type { Command } from "../ui/commands.ts";
import { offer } from "../ui/offered.ts";
import { Problem, Unread } from "../ui/Problem.tsx";
import * as t from "../texts/events.ts";
import { EventFilters } from "./EventFilters.tsx";
import { excludesNothing, filterOf } from "./event-filter.ts";
import { EventList } from "./EventList.tsx";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./events.css";
import { createLog } from "./log.ts";

export interface EventsPageProps {
  readonly router: Router;
  readonly engine: EngineEvents;
  /** The filter, as in the address. */
  readonly of: EventsOf;
  readonly dialogs: readonly DialogListing[];
}

/** What happened in all dialogs, by whom and when, newest first. */
export default function EventsPage(props: EventsPageProps) {
  const filter = createMemo(() => filterOf(props.of));
  // The engine's events live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const log = createLog(filter, props.engine);
  const isFiltered = () => !excludesNothing(filter());
  const isEmpty = () => log.events().length === 0;
  const [exporting, setExporting] = createSignal(false);
  const [outcome, setOutcome] = createSignal<{ readonly failed: boolean; readonly text: string } | null>(null);

  async function exportAll() {
    setExporting(true);
    setOutcome(null);
    const answer = await fetchLog(filter());
    setExporting(false);
    if (answer.ok) save(answer.value, `vibey-events-${new Date().toISOString().slice(0, 10)}.json`);
    setOutcome(answer.ok ? { failed: false, text: t.exported } : { failed: true, text: t.notExported(answer.message) });
  }
  const toExport: Command = {
    get label() {
      return exporting() ? t.exporting : t.exportJson;
    },
    get hidden() {
      return isEmpty();
    },
    get disabled() {
      return exporting();
    },
    run: () => void exportAll(),
  };
  // Read wherever it is shown.
  // oxlint-disable-next-line solid/reactivity
  const clear = linkCommand(t.clear, () => (isFiltered() ? formatRoute({ tab: "history", events: {} }) : null));
  offer({ commands: () => [toExport, clear], about: () => t.events });

  return (
    <section class="events-page" aria-label={t.events}>
      <header class="events-head">
        <EventFilters
          of={props.of}
          dialogs={props.dialogs}
          events={log.events()}
          choose={(events) => props.router.go({ tab: "history", events })}
        />
        <div class="events-actions">
          <Show when={!isEmpty()}>
            <CommandButton of={clear} class="action quiet" />
          </Show>
          <CommandButton of={toExport} class="quiet" />
        </div>
        <output class="unseen">{outcome()?.failed === false ? outcome()?.text : ""}</output>
        <Problem text={outcome()?.failed === true ? (outcome()?.text ?? null) : null} />
        <Unread text={log.problem() === null ? null : t.notRead(log.problem() ?? "")} again={log.again} />
      </header>
      <Show
        when={!isEmpty()}
        fallback={
          <Switch>
            <Match when={!log.loaded()}>
              <div class="empty waits">
                <p>{t.loading}</p>
                <Show when={log.built() !== null}>
                  <progress aria-label={t.loading} max={1} value={log.built() ?? 0} />
                </Show>
              </div>
            </Match>
            <Match when={log.problem() === null && isFiltered()}>
              <div class="empty">
                <p>{t.noneMatch}</p>
                <CommandButton of={clear} class="action tonal" />
              </div>
            </Match>
            <Match when={log.problem() === null}>
              <p class="empty">{t.nothingYet}</p>
            </Match>
          </Switch>
        }
      >
        <EventList events={log.events()} grewAtTop={log.grewAtTop()} nearEnd={() => void log.loadOlder()} />
      </Show>
    </section>
  );
}
