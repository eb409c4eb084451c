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
              <button type="button" class="quiet cross" aria-label={t.dismiss} onClick={() => props.notices.dismiss(notice)}>
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
