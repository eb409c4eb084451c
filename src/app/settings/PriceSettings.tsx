import { formatRoute } from "../shell/route.ts";

/** The ways to what the project cost, and to the prices by which that is reckoned. */
export function PriceSettings(props: { leave: () => void }) {
  return (
    <section class="limits">
      <h3>Cost</h3>
      <p>
        <a href={formatRoute({ tab: "cost", page: "cost" })} onClick={() => props.leave()}>
          What this project cost
        </a>{" "}
        is reckoned from what providers report and from{" "}
        <a href={formatRoute({ tab: "cost", page: "prices" })} onClick={() => props.leave()}>
          the prices of models
        </a>
        , which you can set. A line such as <code>&gt; Limit: cost 5 a day</code> in main makes agents ask you before they spend more.
      </p>
    </section>
  );
}
