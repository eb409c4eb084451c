import { createEffect, createSignal, onCleanup, Show, Suspense } from "solid-js";
import type { CallView } from "../../engine/api.ts";
import * as t from "../texts/calls.ts";
import { CallInput } from "./Call.tsx";
import { payload, subject, words } from "./describe.ts";
import { lazyPart } from "../shell/lazy-part.tsx";
import { visible } from "./visible.ts";

const CommandParts = lazyPart(() => import("./CommandParts.tsx"));

/** UTF-16 units from which a file's content is named and not shown until it is opened. */
const largePayload = 1_200;

/** The exact input of a call in a box of limited height. It is read when its end has been in sight. */
export function ReadToEnd(props: { call: CallView; onRead: () => void }) {
  const isSmall = () => (payload(props.call)?.content.length ?? 0) <= largePayload || props.call.before !== null;
  const [opened, setOpened] = createSignal(false);
  return (
    <Show
      when={opened() || isSmall()}
      fallback={
        <button type="button" class="quiet show-payload" onClick={() => setOpened(true)}>
          {t.wholeFile}
        </button>
      }
    >
      <InputBox call={props.call} onRead={() => props.onRead()} />
    </Show>
  );
}

function InputBox(props: { call: CallView; onRead: () => void }) {
  const [box, setBox] = createSignal<HTMLElement>();
  const [end, setEnd] = createSignal<HTMLElement>();
  const command = () => {
    const { command: text } = props.call.input;
    return props.call.tool === "run_command" && typeof text === "string" ? text : null;
  };
  const label = () => t.exactInput(words(props.call.tool).verb, visible(subject(props.call)));

  createEffect(() => {
    const [whole, mark] = [box(), end()];
    if (whole === undefined || mark === undefined) return;
    // The end counts as seen only where it really shows, whatever scrolls around it; and not while a part is still being fetched.
    const sight = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting) && whole.querySelector(".loading") === null) props.onRead();
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
    // What scrolls must be reachable with keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section ref={setBox} class="ask-input" tabindex={0} aria-label={label()}>
      <CallInput call={props.call} />
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
