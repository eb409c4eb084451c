import { createEffect, createSignal, onCleanup, Show, Suspense } from "solid-js";
import type { CallView } from "../../protocol/index.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import * as t from "../texts/calls.ts";
import { CallInput } from "./Call.tsx";
import type { Decisions } from "./decide.ts";
import { headed, subject, words } from "./describe.ts";
import { visible } from "./visible.ts";

const CommandParts = lazyPart(() => import("./CommandParts.tsx"));

/** Elements that are not loaded yet, could not be loaded, or are folded. While a call contains one of them, its end does not count as seen. */
const missing = ".loading, .not-loaded, .folded-away";

/** The exact input of a call. It counts as read when its end has been in view and nothing in it is folded. */
export function ReadToEnd(props: { call: CallView; decisions: Decisions }) {
  const [box, setBox] = createSignal<HTMLElement>();
  const [end, setEnd] = createSignal<HTMLElement>();
  const command = () => {
    const { command: text } = props.call.input;
    return props.call.tool === "run_command" && typeof text === "string" ? text : null;
  };
  const label = () => t.exactInput(words(props.call.tool).verb, visible(subject(props.call)));

  createEffect(() => {
    const [input, mark] = [box(), end()];
    const whole = input?.closest(".ask-call");
    if (whole == null || mark === undefined) return;
    // The end counts as seen only if it is really visible, whatever scrolls around it, and only when nothing is still loading.
    const sight = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting) && whole.querySelector(missing) === null) props.decisions.markRead(props.call);
    });
    const growth = new MutationObserver(() => {
      sight.unobserve(mark);
      sight.observe(mark);
    });
    sight.observe(mark);
    growth.observe(whole, { childList: true, subtree: true });
    onCleanup(() => {
      sight.disconnect();
      growth.disconnect();
    });
  });

  return (
    // Scrollable content must be reachable with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section ref={setBox} class="ask-input" tabindex={0} aria-label={label()}>
      <CallInput
        call={props.call}
        asked={{
          headed: headed(props.call)?.name ?? null,
          isOpen: props.decisions.isOpened(props.call),
          open: () => props.decisions.unfold(props.call),
        }}
      />
      <Show when={command()}>
        {(text) => (
          <Suspense fallback={<p class="loading">{t.loading}</p>}>
            <CommandParts command={text()} />
          </Suspense>
        )}
      </Show>
      <div ref={setEnd} class="ask-end" />
    </section>
  );
}
