import type { Activity } from "../../protocol/index.ts";
import { type LimitsInForce, limitSource } from "./doc-limits.ts";
import type { DocLimits } from "./read-doc-limits.ts";
import { limits as engineLimits } from "../../protocol/limits.ts";
import type { Runs } from "./runs.ts";
import { admit, type BlockedBy, join, leave, type QueueState, type QueuePosition, type WaitingEntry } from "./queue-state.ts";
import type { Live } from "../dialogs/live.ts";

/** Decides which dialogs may run. A dialog holds its slot from the moment it may begin until it leaves. */
export interface Queue {
  /** Calls `begin` when the limits let the dialog run: at once, or later. A dialog that is already running continues. */
  enter(live: Live, entrant: QueueEntry): void;
  /** The dialog no longer runs or waits, so the next one may begin. */
  leave(live: Live): void;
  /** Call this if a limit may have changed. */
  wake(): void;
  /** Prevents all starts until the returned function is called. */
  hold(): () => void;
  /** Adds launches from before this engine started. They began at these times, in milliseconds since 1970. */
  remember(launches: readonly number[]): void;
  /** Why another launched agent would have to wait now. Null if it would begin at once. */
  waitOfLaunch(limits: LimitsInForce, run?: RunSlot): string | null;
  /** How many launched agents wait in the queue. */
  launchesWaiting(): number;
  running(): readonly Live[];
  waiting(): readonly Live[];
}

export interface QueueEntry {
  readonly launched: boolean;
  /** What it still lacks before it can begin, as a sentence. Null if nothing. Left out if it never lacks anything. */
  readonly needs?: () => string | null;
  /** The slot in its run. Left out if it belongs to none. */
  readonly run?: RunSlot;
  /** Called once if it has to wait. */
  readonly waits: () => void;
  /** `waited`: whether it had to wait. */
  readonly begin: (waited: boolean) => void;
}

/** A dialog's slot in its run. */
export interface RunSlot {
  readonly id: string;
  /** Lower goes first. -1 if the user wrote to it. */
  readonly priority: number;
  /** Why it may not begin now, or continue after a call or a response, as a sentence. Null if it may. */
  readonly paused: () => string | null;
  /** Why the run's concurrency limit blocks it while `running` of its dialogs are active; null if it doesn't. */
  readonly full: (running: number) => string | null;
}

export interface QueueDeps {
  /** A run is read before any of its dialogs begins. */
  readonly runs: Pick<Runs, "isKnown" | "read">;
  readonly docLimits: DocLimits;
  readonly now: () => Date;
  /** Calls `then` once after `ms`. */
  readonly later: (then: () => void, ms: number) => void;
  /** Shows what a waiting dialog is doing. */
  readonly show: (live: Live, activity: Activity) => void;
  /** Called if a limit prevents a dialog from beginning. */
  readonly onLimitReached: (limit: BlockedBy["by"], sentence: string, live: Live) => void;
  readonly report: (error: unknown) => void;
}

/** How often to re-check the clock. A single timer isn't enough: the computer can sleep, and the clock can be changed. */
const lookAgainMs = 60_000;

interface Entry extends QueueEntry {
  readonly live: Live;
  waited: boolean;
  /** Its position as last shown. Null if it was not shown yet. */
  shown: string | null;
}

export function createQueue(deps: QueueDeps): Queue {
  let queue: QueueState<Entry> = { running: [], waiting: [], launches: [] };
  let reading = false;
  let holds = 0;
  /** When the timer will wake the queue; null: no timer is set. */
  let alarm: number | null = null;
  /** The positions still to be shown. Null if all were shown. */
  let latest: { readonly places: readonly QueuePosition<Entry>[]; readonly limits: LimitsInForce } | null = null;
  let showing = false;

  const entryOf = (live: Live) =>
    queue.running.find((entry) => entry.live === live) ?? queue.waiting.find(({ who }) => who.live === live)?.who;

  function wake(): void {
    if (holds > 0 || queue.waiting.length === 0) return;
    const limits = deps.docLimits.known();
    const unread = queue.waiting.flatMap(({ who: { run } }) => (run && !deps.runs.isKnown(run.id) ? [run.id] : []));
    if (limits && unread.length === 0) return pass(limits);
    if (reading) return;
    reading = true;
    Promise.all([deps.docLimits.read(), ...unread.map((run) => deps.runs.read(run))])
      .finally(() => {
        reading = false;
      })
      .then(wake)
      .catch(deps.report);
  }

  function pass(limits: LimitsInForce): void {
    const admission = admit(queue, limits, () => deps.now().getTime());
    ({ queue } = admission);
    for (const { who, ahead, blockedBy } of admission.positions) {
      if (!who.waited) {
        who.waited = true;
        who.waits();
      }
      if (blockedBy.by !== "run" && (ahead === 0 || blockedBy.by !== "agents"))
        deps.onLimitReached(blockedBy.by, reasonFor(who, blockedBy, limits), who.live);
      if (blockedBy.by === "launches" && blockedBy.until !== null) wakeAt(blockedBy.until);
    }
    showPlaces(admission.positions, limits);
    for (const { begin, waited } of admission.started) begin(waited);
  }

  /** Show a new entry its position immediately. Update the others together and less often, because every start moves them. */
  function showPlaces(places: readonly QueuePosition<Entry>[], limits: LimitsInForce): void {
    for (const place of places) if (place.who.shown === null) show(place, limits);
    latest = { places, limits };
    if (showing) return;
    showing = true;
    deps.later(() => {
      showing = false;
      if (!latest) return;
      const still = new Set(queue.waiting.map(({ who }) => who));
      for (const place of latest.places) if (still.has(place.who)) show(place, latest.limits);
      latest = null;
    }, engineLimits.queueShowMs);
  }

  function show({ who, ahead, blockedBy }: QueuePosition<Entry>, limits: LimitsInForce): void {
    const reason = reasonFor(who, blockedBy, limits);
    const place = `${ahead} ${reason}`;
    if (who.shown === place) return;
    who.shown = place;
    const paused = blockedBy.by === "run" && (who.run?.paused() ?? null) !== null;
    const more = blockedBy.by === "needs" ? ({ needs: "key" } as const) : paused ? ({ paused } as const) : {};
    deps.show(who.live, { kind: "queued", ahead, reason, ...more });
  }

  function wakeAt(time: number): void {
    if (alarm !== null && alarm <= time) return;
    alarm = time;
    deps.later(
      () => {
        if (alarm === time) alarm = null;
        wake();
      },
      Math.min(Math.max(0, time - deps.now().getTime()), lookAgainMs),
    );
  }

  return {
    enter(live, entrant) {
      const running = queue.running.find((entry) => entry.live === live);
      if (running) {
        if ((entrant.run?.paused() ?? null) === null) return entrant.begin(false);
        // Another dialog may use its slot until it continues.
        queue = leave(queue, running);
      }
      const { launched, needs, run } = entrant;
      const who: Entry = { ...entrant, live, waited: false, shown: null };
      queue = join(queue, { who, launched, ...(needs ? { isReady: () => needs() === null } : {}), ...(run ? inRun(run) : {}) });
      wake();
    },
    leave(live) {
      const entry = entryOf(live);
      if (!entry) return;
      queue = leave(queue, entry);
      wake();
    },
    wake,
    hold() {
      holds += 1;
      let held = true;
      return () => {
        if (held) holds -= 1;
        held = false;
        wake();
      };
    },
    remember(launches) {
      queue = { ...queue, launches: [...launches, ...queue.launches].toSorted((a, b) => a - b) };
    },
    waitOfLaunch(limits, run) {
      const candidate = {};
      const all: QueueState<object> = join<object>(queue, { who: candidate, launched: true, ...(run ? inRun(run) : {}) });
      const place = admit(all, limits, () => deps.now().getTime()).positions.find(({ who }) => who === candidate);
      return place && place.blockedBy.by !== "needs" ? reasonOf(place.blockedBy, limits) : null;
    },
    launchesWaiting: () => queue.waiting.filter(({ launched }) => launched).length,
    running: () => queue.running.map(({ live }) => live),
    waiting: () => queue.waiting.map(({ who }) => who.live),
  };
}

/** The queue entry's fields for a dialog of a run. */
function inRun({ id, priority, paused, full }: RunSlot): Pick<WaitingEntry<unknown>, "priority" | "blockedReason"> {
  const runOf = (who: unknown): unknown => (isEntry(who) ? who.run?.id : undefined);
  return { priority, blockedReason: (running) => paused() ?? full(running.filter((who) => runOf(who) === id).length) };
}

const isEntry = (who: unknown): who is Pick<Entry, "run"> => typeof who === "object" && who !== null && "run" in who;

function reasonFor({ needs }: Entry, blockedBy: BlockedBy, limits: LimitsInForce): string {
  return blockedBy.by === "needs" ? (needs?.() ?? "") : reasonOf(blockedBy, limits);
}

function reasonOf(blockedBy: Exclude<BlockedBy, { by: "needs" }>, limits: LimitsInForce): string {
  if (blockedBy.by === "run") return blockedBy.why;
  const { value } = limits[blockedBy.by];
  const source = limitSource(blockedBy.by, limits[blockedBy.by]);
  if (blockedBy.by === "agents") {
    if (value === 0) return `Agents are set not to run (${source}).`;
    return `${value === 1 ? "1 agent is" : `${value} agents are`} already running, which is the limit (${source}).`;
  }
  if (blockedBy.until === null) return `Agents can't launch other agents (${source}).`;
  const launches = value === 1 ? "1 agent was launched by an agent" : `${value} agents were launched by agents`;
  return `${launches} in the last 60 minutes, which is the limit (${source}). This one starts at ${clock(blockedBy.until)}.`;
}

function clock(time: number): string {
  // Round up to the next minute, so that the dialog has started by the time shown.
  return `${new Date(Math.ceil(time / 60_000) * 60_000).toISOString().slice(11, 16)} UTC`;
}
