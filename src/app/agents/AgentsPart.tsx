import { Show, Suspense } from "solid-js";
import type { EngineEvents } from "../model/api/events.ts";
import type { Route, Router } from "../model/route.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const AgentsPage = lazyPart(() => import("./AgentsPage.tsx"));
const AgentVersions = lazyPart(() => import("./versions/AgentVersions.tsx"));

/** The agents of the project, or the versions of one. */
export default function AgentsPart(props: {
  place: Route & { readonly tab: "agents" };
  router: Router;
  events: EngineEvents;
  download: () => void;
}) {
  return (
    <Suspense>
      <Show when={props.place.versions} fallback={<AgentsPage router={props.router} events={props.events} download={props.download} />}>
        {(of) => <AgentVersions slug={of().slug} version={of().version} events={props.events} />}
      </Show>
    </Suspense>
  );
}
