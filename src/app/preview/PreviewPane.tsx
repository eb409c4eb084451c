import { createSignal, For, onCleanup, Show } from "solid-js";
import { createListener, type EngineEvents } from "../api/events.ts";
import { Visible } from "../calls/Visible.tsx";
import { createPreviewFeed } from "./frame.ts";

/** Milliseconds without a change of the deed after which the preview is loaded anew. */
const settle = 700;

/** What the agents have built, in a frame that can reach nothing of this page. */
export default function PreviewPane(props: { events: EngineEvents; close: () => void }) {
  const [load, setLoad] = createSignal(1);
  const [frame, setFrame] = createSignal<HTMLIFrameElement>();
  const feed = createPreviewFeed(frame);
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  // The events live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  createListener(props.events, (event) => {
    if (event.type !== "deed") return;
    clearTimeout(timer);
    timer = setTimeout(feed.refresh, settle);
  });

  return (
    <section class="preview" aria-label="Preview">
      <header>
        <h2>Preview</h2>
        <button type="button" class="quiet" onClick={() => setLoad(load() + 1)}>
          Reload
        </button>
        <button type="button" class="quiet" onClick={() => props.close()}>
          Close
        </button>
      </header>
      <Show when={load()} keyed>
        {/* Scripts, forms and dialogs of its own; never the page's origin. */}
        <iframe
          ref={setFrame}
          title="What the agents have built"
          src="preview/index.html"
          sandbox="allow-scripts allow-forms allow-modals"
        />
      </Show>
      <Show when={feed.problem()}>
        {(problem) => (
          <p class="problem" role="alert">
            The preview stopped: <Visible text={problem()} />
          </p>
        )}
      </Show>
      <Show when={feed.lines().length > 0}>
        <details class="console" open>
          <summary>Console of the preview</summary>
          <ol>
            <For each={feed.lines()}>
              {(line) => (
                <li class={line.level === "error" ? "console-error" : line.level === "warn" ? "console-warn" : ""}>
                  <Visible text={line.text} />
                </li>
              )}
            </For>
          </ol>
        </details>
      </Show>
    </section>
  );
}
