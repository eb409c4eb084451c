import { createMemo, createSignal, onCleanup, Show } from "solid-js";
import type { Running } from "../dialogs/running.ts";
import * as t from "../texts/calls.ts";
import { beginning, spokenSeconds } from "./elapsed.ts";
import { lastLines, plainOutput } from "./terminal.ts";
import { Visible } from "./Visible.tsx";
import { onChange } from "../ui/on-change.ts";

/** Lines that are shown. The result contains the whole output. */
const shownLines = 200;
/** Milliseconds before anything shows, so that a command that ends quickly doesn't change the page. */
const patience = 300;
/** Pixels from the end within which the reader still counts as being at the end. */
const nearEnd = 4;

/**
 * The output of a running command so far. It follows the end while the reader is there; if the reader has scrolled up, the text stays still.
 * `started`: when the command began, according to its dialog. `waits`: the command waits for the user.
 */
export function LiveOutput(props: { running: Running; started: string | null; waits: boolean }) {
  const [box, setBox] = createSignal<HTMLElement>();
  const [stuck, setStuck] = createSignal(true);
  const [now, setNow] = createSignal(performance.now());
  const timer = setInterval(() => setNow(performance.now()), 1_000);
  onCleanup(() => clearInterval(timer));
  // A command that started before the page saw it needs no delay.
  // oxlint-disable-next-line solid/reactivity
  const [late, setLate] = createSignal(!props.running.fromStart);
  const patient = setTimeout(() => setLate(true), patience);
  onCleanup(() => clearTimeout(patient));

  const text = createMemo(
    (before: string) => (stuck() ? lastLines(plainOutput(props.running.output()?.text ?? ""), shownLines) : before),
    "",
  );
  const progress = () => props.running.output()?.progress ?? null;
  const begun = createMemo(() => beginning(props.started, performance.now(), Date.now()));
  const seconds = () => Math.max(0, Math.round((now() - (begun() ?? props.running.seen)) / 1_000));
  const running = () => {
    if (props.running.fromStart || begun() !== null) return t.runningFor(t.elapsed(seconds()));
    return seconds() === 0 ? t.running : t.runningLonger(t.elapsed(seconds()));
  };
  const spoken = createMemo(() => {
    const at = spokenSeconds(seconds());
    return at === null || props.started === null ? "" : props.waits ? t.commandWaits : t.stillRunning(t.elapsed(at));
  });

  onChange([box, () => text()], ([element]) => {
    if (element && stuck()) element.scrollTop = element.scrollHeight;
  });
  const onScroll = (event: Event & { currentTarget: HTMLElement }) => {
    const { scrollHeight, clientHeight, scrollTop } = event.currentTarget;
    setStuck(scrollHeight - clientHeight - scrollTop <= nearEnd);
  };

  return (
    <Show when={late() || props.waits}>
      <div class="live" classList={{ "live-waits": props.waits }}>
        <Show when={text() !== ""}>
          {/* Scrollable content must be reachable with the keyboard. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <section ref={setBox} class="live-text" tabindex={0} aria-label={t.outputSoFar} onScroll={onScroll}>
            <pre>
              <Visible text={text()} />
            </pre>
          </section>
        </Show>
        <p class="live-line">
          <span class="live-progress">
            <Visible text={progress() ?? ""} />
          </span>
          <span class="live-time">{props.waits ? t.waitsForYou : props.started === null ? "" : running()}</span>
        </p>
        <output class="unseen">{spoken()}</output>
      </div>
    </Show>
  );
}
