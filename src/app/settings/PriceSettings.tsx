import { formatRoute } from "../model/route.ts";
import { Parts } from "../texts/Parts.tsx";
import * as t from "../texts/settings.ts";

/** Links to the project's cost and to the model prices. */
export function PriceSettings(props: { leave: () => void }) {
  const link = (page: "cost" | "prices", text: string) => (
    <a href={formatRoute({ tab: "cost", page })} onClick={() => props.leave()}>
      {text}
    </a>
  );
  return (
    <section class="limits">
      <h3>{t.cost}</h3>
      <p>
        <Parts of={t.costWhat} slots={{ cost: (text) => link("cost", text), prices: (text) => link("prices", text) }} />
      </p>
    </section>
  );
}
