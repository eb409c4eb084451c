import { createSignal, Show } from "solid-js";
import type { PricesAnswer, PriceView } from "../../protocol/index.ts";
import { listModels } from "../model/api/calls.ts";
import * as t from "../texts/prices.ts";
import { createOwnPrices } from "./own-prices.ts";
import { emptyRow, sameRow, type Typed, typedRow } from "./price-form.ts";
import { PriceEdit } from "./PriceEdit.tsx";
import { PriceList } from "./PriceList.tsx";
import { PriceTable } from "./PriceTable.tsx";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./prices.css";

interface Editing {
  /** The row that the form replaces; null: a new row. */
  readonly of: PriceView | null;
  readonly start: Typed;
}

/** The model prices: the user's own first, then those that the providers list. */
export default function PricesPage() {
  const { prices, unread, change, reread } = createOwnPrices();
  const [section, setSection] = createSignal<HTMLElement>();
  const [editing, setEditing] = createSignal<Editing | null>(null);
  const [said, setSaid] = createSignal<{ readonly text: string; readonly wrong: boolean } | null>(null);

  async function save(price: PriceView): Promise<string | null> {
    const before = editing()?.of ?? null;
    const why = await change((own) => {
      const others = own.filter((row) => before === null || !sameRow(row, before));
      if (others.some((row) => sameRow(row, price))) return t.alreadyThere;
      const at = before === null ? -1 : own.findIndex((row) => sameRow(row, before));
      return at < 0 ? [...own, price] : own.with(at, price);
    });
    if (why === null) {
      close(price);
      setSaid({ text: t.saved(price.model), wrong: false });
    }
    return why;
  }
  /** Opens a form, but only one at a time: what is typed in another one would be lost. */
  function begin(next: Editing) {
    // The row of an open form may have been removed in another tab, and the form with it.
    if (editing() === null || !section()?.querySelector("form")) {
      setEditing(next);
      return;
    }
    setSaid({ text: t.finishFirst, wrong: true });
    section()?.querySelector<HTMLElement>("form input")?.focus();
  }
  /** The form is removed, and the focus with it. The focus returns to the row, or to the button that adds one. */
  function close(row: PriceView | null) {
    setEditing(null);
    const rows = Array.from(section()?.querySelectorAll<HTMLElement>("[data-price]") ?? []);
    const back = rows.find(({ dataset }) => row !== null && dataset["price"] === `${row.origin} ${row.model}`);
    (back ?? section()?.querySelector<HTMLElement>(".add-price"))?.focus();
  }
  async function remove(price: PriceView) {
    const why = await change((own) => own.filter((row) => !sameRow(row, price)));
    section()?.querySelector<HTMLElement>(".add-price")?.focus();
    if (why !== null) return setSaid({ text: t.notRemoved(why), wrong: true });
    return setSaid({ text: t.removed(price.model), wrong: false });
  }
  const editor = (now: Editing) => <PriceEdit row={now.start} origins={prices()?.origins ?? []} save={save} cancel={() => close(now.of)} />;
  const edited = (row: PriceView) => {
    const now = editing();
    return now?.of && sameRow(now.of, row) ? editor(now) : null;
  };
  const isNew = () => {
    const now = editing();
    return now?.of === null ? now : null;
  };
  return (
    <>
      <p class="cost-note">{t.intro}</p>
      <Show when={unread()}>{(why) => <p class="problem">{t.notRead(why())}</p>}</Show>
      <output class="cost-outcome" classList={{ problem: said()?.wrong === true }}>
        {said()?.text ?? ""}
      </output>
      <Show when={prices()}>
        {(now) => (
          <>
            <section ref={setSection} aria-labelledby="own-prices">
              <h3 id="own-prices">{t.own}</h3>
              <Show when={now().own.length > 0} fallback={<p class="cost-nothing">{t.noneOwn}</p>}>
                <PriceTable
                  name={t.own}
                  rows={now().own}
                  edited={edited}
                  actions={(row) => (
                    <>
                      <button
                        type="button"
                        class="quiet"
                        data-price={`${row.origin} ${row.model}`}
                        aria-label={t.changeOf(row.model)}
                        onClick={() => begin({ of: row, start: typedRow(row) })}
                      >
                        {t.change}
                      </button>
                      <button
                        type="button"
                        class="quiet cross"
                        aria-label={t.removeOf(row.model)}
                        title={t.remove}
                        onClick={() => void remove(row)}
                      >
                        ×
                      </button>
                    </>
                  )}
                />
              </Show>
              <Show
                when={isNew()}
                keyed
                fallback={
                  <button
                    type="button"
                    class="quiet add-price"
                    onClick={() =>
                      begin({
                        of: null,
                        start: emptyRow(now().origins.find((origin) => !isOfficial(origin)) ?? now().origins[0] ?? ""),
                      })
                    }
                  >
                    {t.add}
                  </button>
                }
              >
                {(fresh) => editor(fresh)}
              </Show>
            </section>
            <Listed
              rows={now().listed}
              own={now().own}
              change={(row) => begin({ of: null, start: typedRow(row) })}
              refreshed={(text, wrong) => {
                setSaid({ text, wrong });
                void reread();
              }}
            />
            <Show when={now().builtIn}>
              {(list) => <BuiltIn list={list()} own={now().own} change={(row) => begin({ of: null, start: typedRow(row) })} />}
            </Show>
          </>
        )}
      </Show>
    </>
  );
}

/** Providers whose addresses come with Vibey. If the user has set a server, it is more likely meant. */
const isOfficial = (origin: string) => origin === "https://api.anthropic.com" || origin === "https://api.openai.com";

function Listed(props: {
  rows: readonly PriceView[];
  own: readonly PriceView[];
  change: (row: PriceView) => void;
  refreshed: (text: string, wrong: boolean) => void;
}) {
  const [busy, setBusy] = createSignal(false);
  async function refresh() {
    setBusy(true);
    const answers = await Promise.all(["claude", "openai"].map((name) => listModels(name)));
    setBusy(false);
    const works = answers.filter(({ ok }) => ok).length;
    const why = answers.flatMap((answer) => (answer.ok ? [] : [answer.message])).join(" ");
    props.refreshed(works > 0 ? t.listsRead : t.listsNotRead(why), works === 0);
  }
  return (
    <section aria-labelledby="listed-prices">
      <header class="listed-head">
        <h3 id="listed-prices">{t.listed}</h3>
        <button type="button" class="quiet" disabled={busy()} onClick={() => void refresh()}>
          {busy() ? t.asking : t.askAgain}
        </button>
      </header>
      <Show when={props.rows.length > 0} fallback={<p class="cost-nothing">{t.noneListed}</p>}>
        <PriceList name={t.listed} filterLabel={t.filterLabel} rows={props.rows} own={props.own} change={props.change} />
      </Show>
    </section>
  );
}

/** The price list that comes with Vibey. */
function BuiltIn(props: { list: NonNullable<PricesAnswer["builtIn"]>; own: readonly PriceView[]; change: (row: PriceView) => void }) {
  return (
    <section aria-labelledby="built-in-prices">
      <h3 id="built-in-prices">{t.builtIn(props.list.date)}</h3>
      <p class="cost-note">{t.builtInNote}</p>
      <Show when={props.list.prices.length > 0} fallback={<p class="cost-nothing">{t.noneBuiltIn}</p>}>
        <PriceList
          name={t.builtIn(props.list.date)}
          filterLabel={t.filterBuiltIn}
          rows={props.list.prices}
          own={props.own}
          change={props.change}
        />
      </Show>
    </section>
  );
}
