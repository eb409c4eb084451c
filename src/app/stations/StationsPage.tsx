import { createEffect, createMemo, createSignal, For, onMount, Show } from "solid-js";
import type { DialogEvent } from "../../dialog/events/model.ts";
import type { LogEvent } from "../../protocol/index.ts";
import { visible } from "../calls/visible.ts";
import { money } from "../cost/money.ts";
import type { DialogList } from "../dialogs/list.ts";
import { createLog } from "../history/log.ts";
import type { EngineEvents } from "../model/api/events.ts";
import { formatRoute } from "../model/route.ts";
import { type Shape, shapes, stateWords } from "../overview/states.ts";
import * as t from "../texts/stations.ts";
import { moveFocus } from "../ui/arrow-keys.ts";
import { Problem } from "../ui/Problem.tsx";
import { clock, moment } from "../ui/format.ts";
import { decidedCalls, locateAgents } from "./agent-locations.ts";
import { type AgentRow, countAt, isAtWork, maxShown, rowsNow, rowsThen } from "./rows.ts";
import { type Station, stations } from "./station.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./stations.css";

/** The events that tell where an agent is. */
const types = [
  "activation",
  "message",
  "request",
  "tool_call",
  "approval",
  "tool_result",
  "waiting",
  "complete",
  "abort",
  "error",
] as const;
const isOfDialog = (event: LogEvent): event is Extract<LogEvent, DialogEvent> => event.type !== "commit";

/** Which agents need the user, and what each is doing since when: as a map, and as a table with the same data. A slider shows the past. */
export default function StationsPage(props: { events: EngineEvents; list: DialogList; settings: () => void }) {
  // These live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const log = createLog(() => ({ types }), props.events);
  /** Oldest first. */
  const happened = createMemo(() => log.events().filter(isOfDialog).toReversed());
  const decided = createMemo(() => decidedCalls(happened()));
  /** The id of the event after which the past is shown; null: now. */
  const [at, setAt] = createSignal<string | null>(null);
  const position = createMemo(() => {
    const id = at();
    const index = id === null ? -1 : happened().findIndex((event) => event.id === id);
    return index < 0 ? happened().length : index + 1;
  });
  const isNow = () => at() === null;
  const spots = createMemo(() => locateAgents(happened().slice(0, position()), isNow() ? new Set() : decided()));
  const rows = createMemo(() => (isNow() ? rowsNow(props.list.dialogs(), spots()) : rowsThen(spots())));
  // If an older event may tell where an agent is, reads back to it automatically.
  createEffect(() => {
    if (!isNow() || !log.loaded() || !log.more() || happened().length >= maxRead) return;
    const places = spots();
    if (props.list.dialogs().some((one) => isAtWork(one) && !places.has(one.dialogId))) void log.loadOlder();
  });
  const asking = () => rows().filter(({ shape }) => shape === "asks").length;
  const [heading, setHeading] = createSignal<HTMLElement>();
  onMount(() => {
    heading()?.focus({ preventScroll: true });
    void props.list.look("all");
  });

  function move(to: number) {
    setAt(to >= happened().length ? null : (happened()[Math.max(0, to - 1)]?.id ?? null));
  }
  const timeShown = () => happened()[position() - 1]?.time ?? "";

  return (
    <div class="stations">
      <div class="st-head">
        <h2 ref={setHeading} tabindex={-1}>
          {t.title}
        </h2>
        <p class="soft">
          {/* A screen reader announces only agents that need the user. */}
          <span aria-live="polite" classList={{ wait: asking() > 0 }}>
            {asking() > 0 ? t.needYou(asking()) : rows().length > 0 ? t.noneNeedsYou : ""}
          </span>{" "}
          {t.others(countsOf(rows()))}
        </p>
        <Show when={rows().length > 0}>
          <p class="st-legend" aria-hidden="true">
            <For each={legend}>
              {(shape) => (
                <span class={`state is-${shape}`}>
                  <ShapeIcon shape={shape} />
                  {stateWords[shape]}
                </span>
              )}
            </For>
            <span class="state">
              <span class="dashed" />
              {t.outsideVibey}
            </span>
          </p>
        </Show>
      </div>
      <Problem text={log.problem() === null ? null : t.notRead(log.problem() ?? "")} />
      <Show
        when={rows().length > 0}
        fallback={<Show when={log.loaded() && isNow()}>{<NoAgents settings={() => props.settings()} />}</Show>}
      >
        <StationMap rows={rows()} />
      </Show>
      <Show when={happened().length > 0}>
        <div class="st-scrub">
          <Show when={log.more()}>
            <button type="button" class="quiet small" onClick={() => void log.loadOlder()}>
              {t.earlier}
            </button>
          </Show>
          <input
            type="range"
            min={1}
            max={happened().length}
            value={position()}
            aria-label={t.eventOf(position(), happened().length)}
            aria-valuetext={`${t.eventOf(position(), happened().length)}, ${isNow() ? t.live : (moment(timeShown()) ?? "")}`}
            onInput={(event) => move(event.currentTarget.valueAsNumber)}
          />
          <Show when={isNow()} fallback={<time datetime={timeShown()}>{moment(timeShown())}</time>}>
            <b>{t.live}</b>
          </Show>
          <Show when={!isNow()}>
            <button type="button" class="quiet small" onClick={() => setAt(null)}>
              {t.back}
            </button>
          </Show>
        </div>
      </Show>
      <Show when={rows().length > 0}>
        <AgentTable rows={rows()} />
      </Show>
    </div>
  );
}

/** The maximum number of events that are read to find where the agents are. */
const maxRead = 5_000;

function NoAgents(props: { settings: () => void }) {
  return (
    <div class="empty st-none">
      <h3>{t.noneTitle}</h3>
      <p>{t.none}</p>
      <button type="button" class="tonal" onClick={() => props.settings()}>
        {t.connect}
      </button>
    </div>
  );
}

const legend = ["asks", "running", "queued", "stopped", "waits"] as const;

function countsOf(rows: readonly AgentRow[]): (readonly [Exclude<Shape, "asks">, number])[] {
  const order = ["error", "running", "queued", "stopped", "waits"] as const;
  return order.flatMap((shape) => {
    const count = rows.filter((row) => row.shape === shape).length;
    return count === 0 ? [] : [[shape, count] as const];
  });
}

function ShapeIcon(props: { shape: Shape }) {
  return (
    <svg class="mk" viewBox="0 0 12 12" aria-hidden="true">
      <path classList={{ f: shapes[props.shape].filled }} d={shapes[props.shape].path} />
    </svg>
  );
}

const place = (dialogId: string) => formatRoute({ tab: "dialogs", dialogId });

/** Visual overview. Hidden from screen readers because the table has the same data. */
function StationMap(props: { rows: readonly AgentRow[] }) {
  const isCrowded = () => props.rows.length > maxShown;
  return (
    <div class="plan" aria-hidden="true">
      <For each={stations}>
        {(station) => {
          const here = createMemo(() => props.rows.filter((row) => row.station === station));
          const count = () => countAt(props.rows, station);
          return (
            <section
              class="st"
              classList={{ "st-center": station === "center", "has-ask": count().asking > 0, none: count().all === 0 }}
              data-station={station}
            >
              <h3>
                {t.names[station]} <small>{t.purposes[station]}</small>
              </h3>
              <Show when={isCrowded()} fallback={<AgentMarkers rows={here()} />}>
                <Show when={count().all > 0}>
                  <p>{t.agentsThere(count().all, count().asking)}</p>
                </Show>
              </Show>
            </section>
          );
        }}
      </For>
    </div>
  );
}

function AgentMarkers(props: { rows: readonly AgentRow[] }) {
  const ids = createMemo(() => props.rows.map(({ dialogId }) => dialogId), [], {
    equals: (one, other) => one.length === other.length && one.every((id, index) => id === other[index]),
  });
  const row = (id: string) => props.rows.find(({ dialogId }) => dialogId === id);
  return (
    <div class="pegs">
      <For each={ids()}>
        {(id) => (
          <Show when={row(id)}>
            {(one) => (
              // Keyboard users reach the link in the table.
              <a
                class={`peg peg-${one().shape} is-${one().shape}`}
                classList={{ out: one().outside !== null }}
                href={place(id)}
                tabindex={-1}
              >
                <ShapeIcon shape={one().shape} />
                <span>{visible(one().name)}</span>
              </a>
            )}
          </Show>
        )}
      </For>
    </div>
  );
}

function AgentTable(props: { rows: readonly AgentRow[] }) {
  const [body, setBody] = createSignal<HTMLElement>();
  const ids = createMemo(() => props.rows.slice(0, maxShown).map(({ dialogId }) => dialogId), [], {
    equals: (one, other) => one.length === other.length && one.every((id, index) => id === other[index]),
  });
  const byId = createMemo(() => new Map(props.rows.map((row) => [row.dialogId, row])));
  return (
    <>
      <table class="truth">
        <caption class="unseen">{t.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t.agent}</th>
            <th scope="col">{t.state}</th>
            <th scope="col">{t.station}</th>
            <th scope="col">{t.workingOn}</th>
            <th scope="col" class="num">
              {t.since}
            </th>
            <th scope="col" class="num">
              {t.cost}
            </th>
          </tr>
        </thead>
        <tbody ref={setBody}>
          <For each={ids()}>{(id) => <Show when={byId().get(id)}>{(row) => <Row row={row()} around={body()} />}</Show>}</For>
        </tbody>
      </table>
      <Show when={props.rows.length > maxShown}>
        <p class="soft">{t.more(props.rows.length - maxShown)}</p>
      </Show>
    </>
  );
}

function Row(props: { row: AgentRow; around: HTMLElement | undefined }) {
  const name = (station: Station) => t.names[station];
  return (
    <tr classList={{ asks: props.row.shape === "asks" }}>
      <th scope="row">
        <a href={place(props.row.dialogId)} onKeyDown={(event) => moveFocus(event, props.around ?? null)}>
          {visible(props.row.name)}
        </a>
        <Show when={props.row.outside}>{(framework) => <small title={t.runsIn(visible(framework()))}>{t.outside}</small>}</Show>
      </th>
      <td class="c-state">
        <span class={`state is-${props.row.shape}`}>
          <ShapeIcon shape={props.row.shape} />
          {stateWords[props.row.shape]}
        </span>
      </td>
      <td class="c-st">{name(props.row.station)}</td>
      <td class="c-ctx">
        <Show when={props.row.context}>
          {(context) => (
            <bdi dir="ltr">
              <code>{visible(context())}</code>
            </bdi>
          )}
        </Show>
      </td>
      <td class="num c-t">
        <Show when={clock(props.row.since)} fallback="–">
          {(time) => <time datetime={props.row.since}>{time()}</time>}
        </Show>
      </td>
      <td class="num c-d">{props.row.cost === null ? "–" : money(props.row.cost)}</td>
    </tr>
  );
}
