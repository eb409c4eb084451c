import { createMemo, createSignal, For, Show, Suspense } from "solid-js";
import { CommandButton } from "../ui/CommandButton.tsx";
import type { Command } from "../ui/commands.ts";
import { offer } from "../ui/offered.ts";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/cost.ts";
import { Parts } from "../texts/Parts.tsx";
import { CostChart } from "./CostChart.tsx";
import { CostTable } from "./CostTable.tsx";
import { createReport } from "./load.ts";
import { money, moneyExact } from "./money.ts";
import { modelsOf, rowsOf, type Grouping, groupings } from "./rows.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./cost.css";
import { lazyPart } from "../ui/lazy-part.tsx";

const PricesPage = lazyPart(() => import("./PricesPage.tsx"));

const spans = [
  { days: 7, title: t.days(7) },
  { days: 30, title: t.days(30) },
  { days: 90, title: t.days(90) },
  { days: null, title: t.allDays },
] as const;

const page = (name: "cost" | "prices") => formatRoute({ tab: "cost", page: name });

/** The project's cost and the model prices. */
export default function CostView(props: { page: "cost" | "prices" }) {
  return (
    <div class="cost-page">
      <div class="cost-column">
        <header class="cost-head">
          <h2>{props.page === "cost" ? t.cost : t.prices}</h2>
          <nav aria-label={t.pages}>
            <a class="action" href={page("cost")} aria-current={props.page === "cost" ? "page" : undefined}>
              {t.cost}
            </a>
            <a class="action" href={page("prices")} aria-current={props.page === "prices" ? "page" : undefined}>
              {t.prices}
            </a>
          </nav>
        </header>
        <Suspense>
          <Show when={props.page === "cost"} fallback={<PricesPage />}>
            <Costs />
          </Show>
        </Suspense>
      </div>
    </div>
  );
}

function Costs() {
  const [days, setDays] = createSignal<number | null>(30);
  const [way, setWay] = createSignal<Grouping>("dialog");
  const [asked, setAsked] = createSignal(0);
  const { now, stop } = createReport(() => ({ days: days(), asked: asked() }));
  const report = () => now().report;
  const rows = createMemo(() => {
    const shown = report();
    return shown ? rowsOf(shown, way()) : [];
  });
  const look: Command = {
    label: t.lookAgain,
    get disabled() {
      return now().progress !== null;
    },
    run: () => setAsked(asked() + 1),
  };
  offer({ commands: () => [look], about: () => t.cost });
  return (
    <>
      <div class="cost-choices">
        <fieldset class="segments">
          <legend class="unseen">{t.howFarBack}</legend>
          <For each={spans}>
            {(span) => (
              <label>
                <input type="radio" name="cost-span" checked={days() === span.days} onChange={() => setDays(span.days)} />
                <span>{span.title}</span>
              </label>
            )}
          </For>
        </fieldset>
        <CommandButton of={look} class="quiet" />
      </div>
      <Show when={now().progress}>
        {(progress) => (
          <p class="cost-progress">
            <progress max={Math.max(1, progress().total)} value={progress().done} aria-label={t.dialogsRead} />
            <span>{t.read(progress().done, progress().total)}</span>
            <button type="button" class="quiet" onClick={stop}>
              {t.stop}
            </button>
          </p>
        )}
      </Show>
      <Show when={now().problem}>
        {(why) => (
          <p class="problem" role="alert">
            {t.notReckoned(why())}
          </p>
        )}
      </Show>
      <Show when={report()?.damaged}>{(count) => <p class="cost-note">{t.damaged(count())}</p>}</Show>
      <Show when={report()} fallback={<p class="cost-nothing">{now().progress ? "" : t.notReckonedYet}</p>}>
        {(shown) => (
          <Show
            when={shown().total.responses > 0}
            fallback={<p class="cost-nothing">{days() === null ? t.nothingYet : t.nothingInThisTime}</p>}
          >
            <Show
              when={shown().total.unpriced < shown().total.responses}
              fallback={
                <p class="cost-nothing">
                  <Parts of={t.noneKnown(modelsOf(shown()))} slots={{ prices: (text) => <a href={page("prices")}>{text}</a> }} />
                </p>
              }
            >
              <p class="cost-total">
                <strong title={moneyExact(shown().total.nanos)}>{money(shown().total.nanos)}</strong>{" "}
                <span>
                  <Show when={shown().total.unpriced > 0} fallback={t.forResponses(shown().total.responses)}>
                    <Parts
                      of={t.forSomeResponses(shown().total.responses - shown().total.unpriced, shown().total.unpriced)}
                      slots={{ prices: (text) => <a href={page("prices")}>{text}</a> }}
                    />
                  </Show>
                </span>
              </p>
              <Show when={shown().byList}>
                {(list) => (
                  <p class="cost-note">
                    <Parts
                      of={t.byListPrices(list().responses, list().from, list().to)}
                      slots={{ prices: (text) => <a href={page("prices")}>{text}</a> }}
                    />
                  </p>
                )}
              </Show>
              <Show when={shown().from !== null}>
                <CostChart report={shown()} />
              </Show>
            </Show>
            <fieldset class="segments">
              <legend class="unseen">{t.byWhat}</legend>
              <For each={groupings}>
                {(each) => (
                  <label>
                    <input type="radio" name="cost-way" checked={way() === each} onChange={() => setWay(each)} />
                    <span>{t.by(each)}</span>
                  </label>
                )}
              </For>
            </fieldset>
            <Show when={way()} keyed>
              {(each) => <CostTable way={each} rows={rows()} total={shown().total} />}
            </Show>
          </Show>
        )}
      </Show>
    </>
  );
}
