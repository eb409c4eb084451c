import { createSignal, createUniqueId, For, Index, Show } from "solid-js";
import type { ScheduleView } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { createLatest } from "../model/api/latest.ts";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/agent-schedules.ts";
import { Problem } from "../ui/Problem.tsx";
import { moment } from "../ui/format.ts";
import { failureOf, changeSchedules, readSchedules, valueOf } from "./load.ts";

const timeOf = (ms: number): string => moment(new Date(ms).toISOString()) ?? "";

/** The maximum number of rows shown. Further lines appear when earlier ones are removed, here or in main. */
const mostRows = 100;

type Kind = "every" | "after";

/**
 * The lines of main that start agents, and a form that writes one. `slugs`: the agents that can be started. `asked`: increases when files have
 * changed.
 */
export function Schedules(props: { slugs: readonly string[]; asked: number }) {
  const id = createUniqueId();
  const [changes, setChanges] = createSignal(0);
  const answer = createLatest(
    () => [props.asked, changes()] as const,
    () => readSchedules(),
  );
  const [kind, setKind] = createSignal<Kind>("every");
  const [chosen, setChosen] = createSignal<string | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  const now = () => valueOf(answer());
  const unread = () => {
    const why = failureOf(answer());
    return why === null ? null : t.notRead(why);
  };
  const slug = () => props.slugs.find((one) => one === chosen()) ?? props.slugs[0] ?? "";
  async function write(change: { add: string } | { remove: string }) {
    const shown = now();
    if (shown === null || busy()) return;
    setBusy(true);
    const done = await changeSchedules({ etag: shown.etag, ...change });
    setBusy(false);
    setProblem(done.ok ? null : t.notWritten(done.message));
    setChanges(changes() + 1);
  }
  function add(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get("count");
    const count = typeof typed === "string" ? typed.trim() : "";
    void write({ add: kind() === "every" ? t.everyRule(slug(), count) : t.afterRule(slug(), count) });
  }
  return (
    <section aria-label={t.title} class="agent-schedules">
      <h3>{t.title}</h3>
      <p class="hint">{t.hint(now()?.anHour ?? 0)}</p>
      <Show when={(now()?.schedules.length ?? 0) > 0}>
        <ul>
          {/* A row keeps its button when the list is read again, so that a click in progress isn't lost. */}
          <Index each={now()?.schedules.slice(0, mostRows)}>
            {(schedule) => <Row schedule={schedule()} busy={busy()} remove={() => void write({ remove: schedule().value })} />}
          </Index>
          <Show when={(now()?.schedules.length ?? 0) > mostRows}>
            <li>{t.moreInMain((now()?.schedules.length ?? 0) - mostRows)}</li>
          </Show>
        </ul>
      </Show>
      <Show when={props.slugs.length > 0} fallback={<p class="hint">{t.noAgents}</p>}>
        <form onSubmit={add} aria-label={t.form}>
          <label>
            {t.agent}{" "}
            <select onChange={(event) => setChosen(event.currentTarget.value)}>
              <For each={props.slugs}>
                {(one) => (
                  <option value={one} selected={one === slug()}>
                    {one}
                  </option>
                )}
              </For>
            </select>
          </label>
          <label>
            {t.when}{" "}
            <select value={kind()} onChange={(event) => setKind(event.currentTarget.value === "after" ? "after" : "every")}>
              <option value="every">{t.every}</option>
              <option value="after">{t.after}</option>
            </select>
          </label>
          <input
            id={`${id}-count`}
            name="count"
            type="number"
            inputmode="numeric"
            required
            min={kind() === "every" ? 15 : 5}
            max={kind() === "every" ? 10_080 : 1_000}
            value={kind() === "every" ? 60 : 20}
          />
          <label for={`${id}-count`}>{kind() === "every" ? t.minutes : t.messages}</label>
          <button type="submit" class="quiet" disabled={busy() || now() === null}>
            {t.add}
          </button>
        </form>
      </Show>
      <Problem text={problem() ?? unread()} />
    </section>
  );
}

function Row(props: { schedule: ScheduleView; busy: boolean; remove: () => void }) {
  const next = () => {
    const { next: time, problem, rule } = props.schedule;
    if (problem !== null) return null;
    return time === null ? (rule.includes(" after ") ? t.nextByMessages : t.nextSoon) : t.next(timeOf(time));
  };
  return (
    <li>
      <div class="agent-words">
        <code>
          <Visible text={props.schedule.rule} />
        </code>
        <Show when={props.schedule.problem}>{(why) => <p class="problem">{t.notStarting(why())}</p>}</Show>
        <p class="hint">
          <Show when={props.schedule.last} fallback={t.never}>
            {(last) => <a href={formatRoute({ tab: "dialogs", dialogId: last().dialogId })}>{t.last(timeOf(last().time))}</a>}
          </Show>
          <Show when={next()}>{(text) => <> · {text()}</>}</Show>
        </p>
      </div>
      <div class="agent-actions">
        <button
          type="button"
          class="quiet"
          disabled={props.busy}
          aria-label={t.removeRule(props.schedule.rule)}
          onClick={() => props.remove()}
        >
          {t.remove}
        </button>
      </div>
    </li>
  );
}
