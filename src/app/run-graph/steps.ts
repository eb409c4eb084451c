import { type Accessor, batch, createSignal, onCleanup } from "solid-js";
import { Timeline } from "../../protocol/graph/timeline.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";
import { readSteps } from "./load.ts";
import { onChange } from "../ui/on-change.ts";

/** Milliseconds after a change in which further changes are collected. */
const pause = 120;

/** The events of a run so far, updated until the owner is disposed. */
export function createSteps(run: Accessor<string | null>, engine: EngineEvents) {
  const [timeline, setTimeline] = createSignal(new Timeline(), { equals: false });
  const [loaded, setLoaded] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);
  let stamp = "";
  let asking: AbortController | null = null;
  let again = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => {
    clearTimeout(timer);
    asking?.abort();
  });

  async function look(): Promise<void> {
    const of = run();
    if (of === null) return;
    if (asking !== null) {
      again = true;
      return;
    }
    const mine = new AbortController();
    asking = mine;
    const known = timeline();
    const last = known.steps.at(-1);
    const answer = await readSteps(of, last === undefined ? null : { since: last.cursor, stamp }, mine.signal);
    if (mine.signal.aborted) return;
    asking = null;
    batch(() => {
      setLoaded(true);
      setProblem(answer.ok ? null : answer.message);
      if (!answer.ok) return;
      const next = answer.value.whole ? new Timeline() : known;
      ({ stamp } = answer.value);
      next.add(answer.value.steps);
      if (next !== known || answer.value.steps.length > 0) setTimeline(next);
    });
    if (!again) return;
    again = false;
    soon();
  }
  function soon() {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), pause);
  }
  onChange(run, () => {
    asking?.abort();
    asking = null;
    stamp = "";
    batch(() => {
      setLoaded(false);
      setTimeline(new Timeline());
    });
    void look();
  });
  createListener(engine, ({ type }) => {
    if (type === "dialog" || type === "dialog_removed" || type === "history" || type === "hello") soon();
  });
  return { timeline, loaded, problem };
}
