import { createEffect, createSignal, For, Show } from "solid-js";
import type { Step } from "../../protocol/index.ts";
import { clock } from "../ui/format.ts";
import * as t from "../texts/run-graph.ts";
import { createPlayback, speeds } from "./playback.ts";

/** Goes to any moment of the run, or replays its events. While the past shows, it says so and leads back to the present. */
export function Scrubber(props: { steps: readonly Step[]; past: number | null; go: (past: number | null) => void }) {
  const at = () => props.past ?? props.steps.length;
  const time = () => clock(props.steps[at() - 1]?.time ?? "", {}, true) ?? "";
  const words = () => [t.moment(at(), props.steps.length), time()].filter(Boolean).join(", ");
  const [slider, setSlider] = createSignal<HTMLInputElement>();
  // In this order: a value above the old maximum would be cut off.
  createEffect(() => {
    const input = slider();
    if (!input) return;
    input.max = String(props.steps.length);
    input.value = String(at());
  });
  const playback = createPlayback({
    end: () => props.steps.length,
    past: () => props.past,
    go: (past) => props.go(past),
    calm: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
    later(then, ms) {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
  });
  /** For screen readers: announces that the replay runs, pauses or has ended, but not each event. */
  const [said, setSaid] = createSignal("");
  function toggle() {
    if (playback.playing()) {
      playback.pause();
      return setSaid(t.replayPaused(at(), props.steps.length));
    }
    playback.play();
    return setSaid(t.replaying(playback.speed()));
  }
  createEffect(() => playback.ended() && setSaid(t.replayEnded));
  function go(to: number | null) {
    if (playback.playing()) toggle();
    props.go(to === null || to >= props.steps.length ? null : Math.max(0, to));
  }
  return (
    <div class="scrubber" classList={{ past: props.past !== null }}>
      <Show when={props.past !== null}>
        <p class="past-note">
          <output>{t.isPast}</output> <span>{t.pastHint}</span>
          <button type="button" class="tonal" onClick={() => go(null)}>
            {t.toPresent}
          </button>
        </p>
      </Show>
      <div class="scrubber-row">
        <button type="button" class="tonal small scrubber-play" disabled={props.steps.length === 0} onClick={toggle}>
          {playback.playing() ? t.pause : t.play}
        </button>
        <label>
          <span class="unseen">{t.speed}</span>
          <select onChange={({ currentTarget }) => playback.setSpeed(speeds[currentTarget.selectedIndex] ?? 1)}>
            <For each={speeds}>{(speed) => <option selected={speed === playback.speed()}>{t.times(speed)}</option>}</For>
          </select>
        </label>
        <button type="button" class="quiet small" aria-label={t.earlierEvent} disabled={at() === 0} onClick={() => go(at() - 1)}>
          ‹
        </button>
        <button type="button" class="quiet small" aria-label={t.laterEvent} disabled={props.past === null} onClick={() => go(at() + 1)}>
          ›
        </button>
        <input
          ref={setSlider}
          type="range"
          min={0}
          aria-label={t.scrubber}
          aria-valuetext={words()}
          onInput={(event) => go(event.currentTarget.valueAsNumber)}
        />
        <span class="scrubber-words">
          <Show when={props.past === null}>
            <b>{t.live}</b>{" "}
          </Show>
          {words()}
        </span>
        <output class="unseen">{said()}</output>
      </div>
    </div>
  );
}
