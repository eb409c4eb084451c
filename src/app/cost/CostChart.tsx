import { createMemo, createSignal, For } from "solid-js";
import type { CostReport } from "../../protocol/index.ts";
import * as t from "../texts/cost.ts";
import { type Bar, barsOf, dayWords, scaleTop } from "./bars.ts";
import { money } from "./money.ts";

/** In units of the drawing, whose width depends on the available room. */
const height = 100;

/** One bar per day or month. The selected bar is described in words; the table of days describes all of them. */
export function CostChart(props: { report: CostReport }) {
  const bars = createMemo(() => barsOf(props.report));
  const top = createMemo(() => scaleTop(Math.max(0, ...bars().map(({ nanos }) => nanos))));
  const [chosen, setChosen] = createSignal<number | null>(null);
  const unit = () => bars()[0]?.unit ?? "day";
  const label = () => {
    const words = unit() === "day" ? t.chartOfDays : t.chartOfMonths;
    return words(money(props.report.total.nanos), bars().length, money(dearest(bars())));
  };
  const end = (bar: Bar | undefined) => (bar === undefined ? "" : dayWords(bar.from, bar.unit, "short"));
  return (
    <figure class="cost-chart">
      <figcaption>
        <span>{unit() === "day" ? t.barADay : t.barAMonth}</span>
        <span class="cost-said">{barWords(bars()[chosen() ?? -1])}</span>
      </figcaption>
      <div class="cost-plot">
        <span class="cost-scale" aria-hidden="true">
          {top() === 0 ? "" : money(top())}
        </span>
        <svg
          role="img"
          aria-label={label()}
          viewBox={`0 0 ${bars().length * 10} ${height}`}
          preserveAspectRatio="none"
          onPointerLeave={() => setChosen(null)}
        >
          <For each={bars()}>
            {(bar, at) => (
              <g classList={{ chosen: chosen() === at() }} onPointerEnter={() => setChosen(at())} onPointerDown={() => setChosen(at())}>
                <rect class="cost-hit" x={at() * 10} y={0} width={10} height={height} />
                <rect class="cost-bar" x={at() * 10 + 1.5} y={height - tall(bar, top())} width={7} height={tall(bar, top())} />
              </g>
            )}
          </For>
        </svg>
        <p class="cost-ends" aria-hidden="true">
          <span>{end(bars()[0])}</span>
          <span>{bars().length > 1 ? end(bars().at(-1)) : ""}</span>
        </p>
      </div>
    </figure>
  );
}

const dearest = (bars: readonly Bar[]) => Math.max(0, ...bars.map(({ nanos }) => nanos));

/** Any cost above zero is visible. */
const tall = ({ nanos }: Bar, top: number) => (nanos === 0 ? 0 : Math.max(1.5, (nanos / top) * height));

function barWords(bar: Bar | undefined): string {
  if (bar === undefined) return "";
  const [day, amount] = [dayWords(bar.from, bar.unit, "long"), money(bar.nanos)];
  return bar.unpriced === 0 ? t.bar(day, amount, bar.responses) : t.barPartlyUnpriced(day, amount, bar.responses, bar.unpriced);
}
