import { Show } from "solid-js";
import type { PutDialogBody } from "../../engine/api.ts";
import { mainDoc } from "../docs/names.ts";
import { formatRoute } from "../shell/route.ts";
import { type CostStop as Stop } from "./money.ts";

/** Offered when an agent was held back because of what the project costs: to go on all the same, or to change what holds it. */
export function CostStop(props: { stop: Stop; goOn: (limits: NonNullable<PutDialogBody["limits"]>) => void }) {
  const unknown = () => props.stop.kind === "unknown";
  return (
    <section class="column strip cost-stop" aria-label="What this project may cost">
      <span>
        {unknown()
          ? "With a price, and a server that reports its tokens, Vibey can tell what this dialog costs. Without them, it goes on and its cost stays unknown."
          : "Go on for this turn only, or let the project cost more."}
      </span>
      <span class="strip-choices">
        <button type="button" class="primary" onClick={() => props.goOn({ cost: unknown() ? "unknown" : "once" })}>
          {unknown() ? "Go on without a price" : "Go on once"}
        </button>
        <Show
          when={unknown()}
          fallback={
            <a class="action" href={formatRoute({ tab: "docs", file: { kind: "doc", name: mainDoc } })}>
              Change the limit in main
            </a>
          }
        >
          <a class="action" href={formatRoute({ tab: "cost", page: "prices" })}>
            Give a price
          </a>
        </Show>
      </span>
    </section>
  );
}
