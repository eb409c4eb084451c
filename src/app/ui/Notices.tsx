import { For, type JSX, Show, Suspense } from "solid-js";
import { ShortVisible } from "../calls/ShortVisible.tsx";
import type { Notices } from "./notices.ts";
import * as t from "../texts/frame.ts";

export function NoticeRegion(props: { notices: Notices; children?: JSX.Element }) {
  return (
    <>
      <section class="notices" aria-label={t.notices} aria-live="polite">
        <For each={props.notices.list()}>
          {(notice) => (
            <div class="notice">
              <p>
                <ShortVisible text={notice.message} />
              </p>
              <Show when={notice.href}>{(href) => <a href={href()}>{t.openDialog}</a>}</Show>
              <Show when={notice.action}>
                {(action) => (
                  <button type="button" class="quiet" onClick={() => action().run()}>
                    {action().label}
                  </button>
                )}
              </Show>
              <button
                type="button"
                class="quiet cross"
                aria-label={t.dismiss}
                onClick={(event) => {
                  focusNeighbour(event.currentTarget);
                  props.notices.dismiss(notice);
                }}
              >
                ×
              </button>
            </div>
          )}
        </For>
        <Suspense>{props.children}</Suspense>
      </section>
      <output class="unseen">{props.notices.status()}</output>
    </>
  );
}

/** The notice is about to disappear, and the focus would be lost with it. */
function focusNeighbour(button: HTMLElement) {
  const crosses = Array.from(button.closest(".notices")?.querySelectorAll<HTMLElement>(".cross") ?? []);
  const own = crosses.indexOf(button);
  (crosses[own + 1] ?? crosses[own - 1])?.focus();
}
