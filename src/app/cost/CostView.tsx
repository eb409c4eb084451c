import { createMemo, createSignal, For, lazy, Show, Suspense } from "solid-js";
import { counted } from "../shell/words.ts";
import { formatRoute } from "../shell/route.ts";
import { CostChart } from "./CostChart.tsx";
import { CostTable } from "./CostTable.tsx";
import { createReport } from "./load.ts";
import { money, moneyExact } from "./money.ts";
import { rowsOf, type Way, ways } from "./rows.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./cost.css";

const PricesPage = lazy(() => import("./PricesPage.tsx"));

const spans = [
  { days: 7, title: "7 days" },
  { days: 30, title: "30 days" },
  { days: 90, title: "90 days" },
  { days: null, title: "All" },
] as const;

const page = (name: "cost" | "prices") => formatRoute({ tab: "cost", page: name });

/** What the project cost, and the prices by which that is reckoned. */
export default function CostView(props: { page: "cost" | "prices" }) {
  return (
    <div class="cost-page">
      <div class="cost-column">
        <header class="cost-head">
          <h2>{props.page === "cost" ? "Cost" : "Prices"}</h2>
          <nav aria-label="Cost and prices">
            <a class="action" href={page("cost")} aria-current={props.page === "cost" ? "page" : undefined}>
              Cost
            </a>
            <a class="action" href={page("prices")} aria-current={props.page === "prices" ? "page" : undefined}>
              Prices
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
  const [way, setWay] = createSignal<Way>("Dialog");
  const [asked, setAsked] = createSignal(0);
  const { now, stop } = createReport(() => ({ days: days(), asked: asked() }));
  const report = () => now().report;
  const rows = createMemo(() => {
    const shown = report();
    return shown ? rowsOf(shown, way()) : [];
  });
  return (
    <>
      <div class="cost-choices">
        <fieldset class="segments">
          <legend class="unseen">How far back</legend>
          <For each={spans}>
            {(span) => (
              <label>
                <input type="radio" name="cost-span" checked={days() === span.days} onChange={() => setDays(span.days)} />
                <span>{span.title}</span>
              </label>
            )}
          </For>
        </fieldset>
        <button type="button" class="quiet" disabled={now().progress !== null} onClick={() => setAsked(asked() + 1)}>
          Look again
        </button>
      </div>
      <Show when={now().progress}>
        {(progress) => (
          <p class="cost-progress">
            <progress max={Math.max(1, progress().total)} value={progress().done} aria-label="Dialogs read" />
            <span>
              {progress().done.toLocaleString()} of {counted(progress().total, "dialog")} read
            </span>
            <button type="button" class="quiet" onClick={stop}>
              Stop
            </button>
          </p>
        )}
      </Show>
      <Show when={now().problem}>
        {(why) => (
          <p class="problem" role="alert">
            The cost could not be reckoned: {why()}
          </p>
        )}
      </Show>
      <Show when={report()} fallback={<p class="cost-nothing">{now().progress ? "" : "Nothing was reckoned yet."}</p>}>
        {(shown) => (
          <Show
            when={shown().total.responses > 0}
            fallback={
              <p class="cost-nothing">Nothing was asked of a provider {days() === null ? "yet" : "in this time"}, so nothing was spent.</p>
            }
          >
            <p class="cost-total">
              <strong title={moneyExact(shown().total.nanos)}>{money(shown().total.nanos)}</strong>{" "}
              <span>
                for {counted(shown().total.responses - shown().total.unpriced, "response")}
                <Show when={shown().total.unpriced > 0}>
                  , and {counted(shown().total.unpriced, "response")} without a known price (<a href={page("prices")}>give one</a> for those
                  to come)
                </Show>
              </span>
            </p>
            <Show when={shown().from !== null}>
              <CostChart report={shown()} />
            </Show>
            <fieldset class="segments">
              <legend class="unseen">By what</legend>
              <For each={ways}>
                {(each) => (
                  <label>
                    <input type="radio" name="cost-way" checked={way() === each} onChange={() => setWay(each)} />
                    <span>By {each.toLowerCase()}</span>
                  </label>
                )}
              </For>
            </fieldset>
            <Show when={way()} keyed>
              {(each) => <CostTable name={each} rows={rows()} total={shown().total} />}
            </Show>
          </Show>
        )}
      </Show>
    </>
  );
}
