import { Show } from "solid-js";
import type { PutDialogBody } from "../../protocol/index.ts";
import { mainDoc } from "../docs/names.ts";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/cost-stop.ts";
import { type CostStop as Stop } from "./money.ts";

/** Offered when the spending limit stopped an agent: continue anyway, or change the limit. */
export function CostStop(props: { stop: Stop; onContinue: (limits: NonNullable<PutDialogBody["limits"]>) => void }) {
  const unknown = () => props.stop.kind === "unknown";
  return (
    <section class="column strip cost-stop" aria-label={t.whatItMayCost}>
      <span>{unknown() ? t.withoutPrice : props.stop.kind === "unreadable" ? t.damaged : t.overLimit}</span>
      <span class="strip-choices">
        <button type="button" class="primary" onClick={() => props.onContinue({ cost: unknown() ? "unknown" : "once" })}>
          {unknown() ? t.continueWithoutPrice : t.continueOnce}
        </button>
        <Show
          when={unknown()}
          fallback={
            <a class="action" href={formatRoute({ tab: "docs", file: { kind: "doc", name: mainDoc } })}>
              {t.changeLimit}
            </a>
          }
        >
          <a class="action" href={formatRoute({ tab: "cost", page: "prices" })}>
            {t.givePrice}
          </a>
        </Show>
      </span>
    </section>
  );
}
