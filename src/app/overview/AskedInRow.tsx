import { createEffect, createSignal, For, onCleanup, Show, Suspense } from "solid-js";
import type { CallView } from "../../protocol/index.ts";
import { CallInput } from "../calls/Call.tsx";
import CommandParts from "../calls/CommandParts.tsx";
import { headed, subject, words } from "../calls/describe.ts";
import Exact from "../calls/Exact.tsx";
import { visible } from "../calls/visible.ts";
import * as t from "../texts/calls.ts";

/** Elements that are not loaded yet, or folded. */
const missing = ".loading, .folded-away";

/** The command of a call that has no other input. It is shown in the line itself. */
function commandOf(call: CallView): string | null {
  return Object.keys(call.input).length === 1 ? textOfCommand(call) : null;
}
function textOfCommand({ tool, input }: CallView): string | null {
  const { command } = input;
  return tool === "run_command" && typeof command === "string" ? command : null;
}

/** How much of a row's requests is in view. `loading`: some of it is not in the page yet. */
export type Sight = "whole" | "part" | "loading";

/** The calls of a row, exact and whole. `seen` is called with how much of them is in view. */
export function AskedInRow(props: { calls: readonly CallView[]; scroller: HTMLElement | undefined; seen: (sight: Sight) => void }) {
  const [box, setBox] = createSignal<HTMLElement>();
  createEffect(() => {
    const [shown, scroller] = [box(), props.scroller];
    if (!shown || !scroller) return;
    const look = () => props.seen(shown.querySelector(missing) !== null ? "loading" : isInside(shown, scroller) ? "whole" : "part");
    const sight = new IntersectionObserver(look, { root: scroller, threshold: [0, 0.5, 0.9, 0.99, 1] });
    const growth = new ResizeObserver(look);
    const arrival = new MutationObserver(look);
    sight.observe(shown);
    growth.observe(shown);
    growth.observe(scroller);
    arrival.observe(shown, { childList: true, subtree: true });
    onCleanup(() => {
      sight.disconnect();
      growth.disconnect();
      arrival.disconnect();
      props.seen("loading");
    });
  });
  return (
    <ol ref={setBox} class="asked-here">
      <For each={props.calls}>{(call) => <AskedHere call={call} isOnly={props.calls.length === 1} />}</For>
    </ol>
  );
}

function AskedHere(props: { call: CallView; isOnly: boolean }) {
  const command = () => commandOf(props.call);
  const named = () => headed(props.call);
  return (
    <li aria-label={t.exactInput(words(props.call.tool).verb, visible(subject(props.call)))}>
      <p class="asked-line">
        <span class="verb">{words(props.call.tool).verb}</span>{" "}
        <Show when={command() ?? named()?.value}>
          {(text) => (
            <code>
              <Exact text={text()} reading="command" />
            </code>
          )}
        </Show>
      </p>
      <Show when={command() === null}>
        <div class="ask-input">
          <CallInput call={props.call} asked={{ headed: named()?.name ?? null, isOpen: true, open: () => {} }} />
        </div>
      </Show>
      <Show when={textOfCommand(props.call)}>
        {(text) => (
          <Suspense fallback={<span class="loading" />}>
            <CommandParts command={text()} />
          </Suspense>
        )}
      </Show>
    </li>
  );
}

/** Pixels by which rounding may make a box exceed another. */
const slack = 1;

function isInside(element: Element, around: Element): boolean {
  const [inner, outer] = [element.getBoundingClientRect(), around.getBoundingClientRect()];
  return inner.height > 0 && inner.top >= outer.top - slack && inner.bottom <= outer.bottom + slack;
}
