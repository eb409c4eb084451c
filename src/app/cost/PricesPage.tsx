import { createMemo, createSignal, Show } from "solid-js";
import type { PricesAnswer, PriceView } from "../../engine/api.ts";
import { listModels } from "../api/calls.ts";
import { createLatest } from "../api/latest.ts";
import { number } from "../shell/words.ts";
import { readPrices, writePrices } from "./load.ts";
import { emptyRow, sameRow, type Typed, typedRow } from "./price-form.ts";
import { PriceEdit } from "./PriceEdit.tsx";
import { PriceTable } from "./PriceTable.tsx";

/** Rows of a provider's list that are in the page at first, and that come with each further click. */
const page = 50;

interface Editing {
  /** The row whose place it takes; null: it is a new one. */
  readonly of: PriceView | null;
  readonly start: Typed;
}

/** The prices by which a cost is reckoned: the person's own, and below them what the providers list. */
export default function PricesPage() {
  const [asked, setAsked] = createSignal(0);
  const first = createLatest(asked, readPrices);
  const [saved, setSaved] = createSignal<PricesAnswer | null>(null);
  const prices = () => {
    const answer = first();
    return saved() ?? (answer?.ok ? answer.value : null);
  };
  const unread = () => {
    const answer = first();
    return answer?.ok === false ? answer.message : null;
  };
  const [section, setSection] = createSignal<HTMLElement>();
  const [editing, setEditing] = createSignal<Editing | null>(null);
  const [said, setSaid] = createSignal<{ readonly text: string; readonly wrong: boolean } | null>(null);

  async function store(next: readonly PriceView[]): Promise<string | null> {
    const answer = await writePrices(next);
    if (!answer.ok) return answer.message;
    setSaved(answer.value);
    return null;
  }
  async function save(price: PriceView): Promise<string | null> {
    const own = prices()?.own ?? [];
    const before = editing()?.of ?? null;
    const others = own.filter((row) => before === null || !sameRow(row, before));
    if (others.some((row) => sameRow(row, price))) return "this model has a price of yours already; change that one.";
    const at = before === null ? -1 : own.findIndex((row) => sameRow(row, before));
    const why = await store(at < 0 ? [...own, price] : own.with(at, price));
    if (why === null) {
      close(price);
      setSaid({ text: `${price.model} is saved. It counts from the next response on.`, wrong: false });
    }
    return why;
  }
  /** The form goes, and the focus with it: it returns to the row, or to where a row is added. */
  function close(row: PriceView | null) {
    setEditing(null);
    const rows = Array.from(section()?.querySelectorAll<HTMLElement>("[data-price]") ?? []);
    const back = rows.find(({ dataset }) => row !== null && dataset["price"] === `${row.origin} ${row.model}`);
    (back ?? section()?.querySelector<HTMLElement>(".add-price"))?.focus();
  }
  async function remove(price: PriceView) {
    const why = await store((prices()?.own ?? []).filter((row) => !sameRow(row, price)));
    section()?.querySelector<HTMLElement>(".add-price")?.focus();
    if (why !== null) return setSaid({ text: `Not removed: ${why}`, wrong: true });
    return setSaid({ text: `The price of ${price.model} is removed.`, wrong: false });
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
      <p class="cost-note">
        US dollars a million tokens. Your own prices come first; what a provider lists comes second. A model in neither has no known cost.
        Each response keeps what it cost when it ended, so a new price changes nothing that is past.
      </p>
      <Show when={unread()}>{(why) => <p class="problem">The prices could not be read: {why()}</p>}</Show>
      <output class="cost-outcome" classList={{ problem: said()?.wrong === true }}>
        {said()?.text ?? ""}
      </output>
      <Show when={prices()}>
        {(now) => (
          <>
            <section ref={setSection} aria-labelledby="own-prices">
              <h3 id="own-prices">Your prices</h3>
              <Show when={now().own.length > 0} fallback={<p class="cost-nothing">You have given no price yet.</p>}>
                <PriceTable
                  name="Your prices"
                  rows={now().own}
                  edited={edited}
                  actions={(row) => (
                    <>
                      <button
                        type="button"
                        class="quiet"
                        data-price={`${row.origin} ${row.model}`}
                        aria-label={`Change ${row.model}`}
                        onClick={() => setEditing({ of: row, start: typedRow(row) })}
                      >
                        Change
                      </button>
                      <button
                        type="button"
                        class="quiet cross"
                        aria-label={`Remove ${row.model}`}
                        title="Remove"
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
                      setEditing({
                        of: null,
                        start: emptyRow(now().origins.find((origin) => !isOfficial(origin)) ?? now().origins[0] ?? ""),
                      })
                    }
                  >
                    + Add a price
                  </button>
                }
              >
                {(fresh) => editor(fresh)}
              </Show>
            </section>
            <Listed
              rows={now().listed}
              own={now().own}
              change={(row) => setEditing({ of: null, start: typedRow(row) })}
              refreshed={(text, wrong) => {
                setSaid({ text, wrong });
                setSaved(null);
                setAsked(asked() + 1);
              }}
            />
          </>
        )}
      </Show>
    </>
  );
}

/** Providers whose addresses come with Vibey: a server that a person has set is more likely meant. */
const isOfficial = (origin: string) => origin === "https://api.anthropic.com" || origin === "https://api.openai.com";

function Listed(props: {
  rows: readonly PriceView[];
  own: readonly PriceView[];
  change: (row: PriceView) => void;
  refreshed: (text: string, wrong: boolean) => void;
}) {
  const [filter, setFilter] = createSignal("");
  const [shown, setShown] = createSignal(page);
  const [busy, setBusy] = createSignal(false);
  const rows = createMemo(() => {
    const wanted = filter().trim().toLowerCase();
    return props.rows.filter(({ model }) => model.toLowerCase().includes(wanted));
  });
  async function refresh() {
    setBusy(true);
    const answers = await Promise.all(["claude", "openai"].map((name) => listModels(name)));
    setBusy(false);
    const works = answers.filter(({ ok }) => ok).length;
    const why = answers.flatMap((answer) => (answer.ok ? [] : [answer.message])).join(" ");
    props.refreshed(works > 0 ? "The lists of models were read again." : `No list of models could be read. ${why}`, works === 0);
  }
  return (
    <section aria-labelledby="listed-prices">
      <header class="listed-head">
        <h3 id="listed-prices">From the provider</h3>
        <button type="button" class="quiet" disabled={busy()} onClick={() => void refresh()}>
          {busy() ? "Asking…" : "Ask again"}
        </button>
      </header>
      <Show
        when={props.rows.length > 0}
        fallback={
          <p class="cost-nothing">No provider that is set up lists prices. Routers such as OpenRouter do; for others, give your own.</p>
        }
      >
        <input
          type="search"
          aria-label="Filter the models"
          placeholder="Filter"
          value={filter()}
          onInput={(event) => {
            setFilter(event.currentTarget.value);
            setShown(page);
          }}
        />
        <Show when={rows().length > 0} fallback={<p class="cost-nothing">No model has this in its name.</p>}>
          <PriceTable
            name="From the provider"
            rows={rows().slice(0, shown())}
            edited={() => null}
            actions={(row) => (
              <Show when={!props.own.some((own) => sameRow(own, row))} fallback={<small class="faint">yours counts</small>}>
                <button type="button" class="quiet" aria-label={`Change ${row.model}`} onClick={() => props.change(row)}>
                  Change
                </button>
              </Show>
            )}
          />
        </Show>
        <Show when={rows().length > shown()}>
          <button type="button" class="quiet more-rows" onClick={() => setShown(shown() + page)}>
            Show {number(Math.min(page, rows().length - shown()))} more of {number(rows().length)}
          </button>
        </Show>
      </Show>
    </section>
  );
}
