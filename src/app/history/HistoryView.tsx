import { Show, Suspense } from "solid-js";
import type { DialogListing } from "../../protocol/index.ts";
import type { EngineEvents } from "../model/api/events.ts";
import { formatRoute, type Route, type Router } from "../model/route.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import * as t from "../texts/events.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./history-pages.css";
import { Changes } from "./Changes.tsx";

const EventsPage = lazyPart(() => import("./EventsPage.tsx"));

export interface HistoryViewProps {
  readonly place: Route & { readonly tab: "history" };
  readonly router: Router;
  readonly events: EngineEvents;
  readonly dialogs: readonly DialogListing[];
}

/** What happened in the project: the changes, and every event. */
export default function HistoryView(props: HistoryViewProps) {
  const events = () => ("events" in props.place ? props.place.events : null);
  const changes = () => ("events" in props.place ? null : props.place);
  return (
    <div class="history-page" classList={{ "one-open": changes()?.commit != null }}>
      <nav class="history-pages" aria-label={t.pages}>
        <a
          class="action"
          href={formatRoute({ tab: "history", commit: null, path: null })}
          aria-current={events() === null ? "page" : undefined}
        >
          {t.changes}
        </a>
        <a class="action" href={formatRoute({ tab: "history", events: {} })} aria-current={events() === null ? undefined : "page"}>
          {t.events}
        </a>
      </nav>
      <Suspense>
        <Show when={events()}>{(of) => <EventsPage router={props.router} engine={props.events} of={of()} dialogs={props.dialogs} />}</Show>
        <Show when={changes()}>
          {(of) => (
            <Changes
              router={props.router}
              events={props.events}
              commit={of().commit}
              path={of().path}
              by={of().by ?? null}
              dialogs={props.dialogs}
            />
          )}
        </Show>
      </Suspense>
    </div>
  );
}
