import { createSignal, For, Show } from "solid-js";
import { createLatest } from "../api/latest.ts";
import { fileSize } from "../shell/words.ts";
import { copyZip, readCopy } from "./calls.ts";
import { readCare, writeCare } from "./care.ts";
import { save } from "../project/zip.ts";
import { currentProject } from "../shell/current-project.ts";
import { ago, moment } from "./words.ts";

/** How safe the project is in this browser, in plain words, and the ways to make it safer. */
export function StorageSettings() {
  const [asked, setAsked] = createSignal(0);
  const [problem, setProblem] = createSignal<string | null>(null);
  const browser = createLatest(asked, async () => ({
    persisted: (await navigator.storage?.persisted?.()) ?? false,
    used: (await navigator.storage?.estimate?.())?.usage ?? null,
    care: readCare(localStorage, currentProject()),
  }));
  const answer = createLatest(asked, () => readCopy());
  const copy = () => {
    const now = answer();
    return now?.ok ? now.value : null;
  };

  async function ask() {
    const granted = (await navigator.storage?.persist?.()) ?? false;
    writeCare(localStorage, currentProject(), { asked: { at: Date.now(), granted } });
    setAsked(asked() + 1);
  }

  async function download(generation: number | null) {
    const zip = await copyZip(generation);
    setProblem(zip.ok ? null : `The copy could not be downloaded: ${zip.message}`);
    if (zip.ok) save(zip.value, `vibey-second-copy-${new Date().toISOString().slice(0, 10)}.zip`);
  }

  return (
    <section class="storage">
      <h3>Storage</h3>
      <Show when={browser()}>
        {(state) => (
          <>
            <p>
              {state().persisted
                ? "The browser keeps this project until you delete it."
                : "The browser may clear this project when the disk gets full. Export it now and then."}
              <Show when={state().used}>{(used) => <> Vibey takes {fileSize(used())}.</>}</Show>{" "}
              {state().care.exportedAt === null
                ? "It was never exported."
                : `It was last exported ${ago(state().care.exportedAt ?? 0, Date.now())}.`}
            </p>
            <Show when={!state().persisted}>
              <Show when={state().care.asked}>
                {(before) => (
                  <p>
                    The browser was asked to keep it {ago(before().at, Date.now())}, and did not agree. Some do once the page is bookmarked
                    or installed.
                  </p>
                )}
              </Show>
              <button type="button" class="quiet" onClick={() => void ask()}>
                Ask the browser to keep it
              </button>
              <p>
                A private window forgets everything when it is closed. Safari deletes what a site has stored after seven days without a
                visit, unless Vibey was added to the Dock or the home screen.
              </p>
            </Show>
          </>
        )}
      </Show>
      <Show when={copy()}>
        {(state) => (
          <>
            <p>
              <Show
                when={state().kept}
                fallback={<Show when={state().trouble === null}>A second copy of the project is about to be written. </Show>}
              >
                {(kept) => (
                  <>
                    A second copy of the project was written {ago(kept().at, Date.now())} ({fileSize(kept().bytes)}): should the first be
                    damaged, it is offered to you. It holds no history of the files, and nothing of node_modules.{" "}
                  </>
                )}
              </Show>
              <Show when={state().trouble}>{(why) => <>A second copy can't be written now: {why()}. Everything else works.</>}</Show>
            </p>
            <Show when={state().damaged.length > 0}>
              <p class="problem">
                These files have lost bytes in the browser's storage: {state().damaged.join(", ")}. The second copy may hold them as they
                were.
              </p>
            </Show>
            <Show when={state().kept}>
              <button type="button" class="quiet" onClick={() => void download(null)}>
                Download the second copy
              </button>
            </Show>
            <For each={state().earlier}>
              {(earlier) => (
                <p>
                  The copy of the project that was here before, of {moment(earlier.at)}, is still there.{" "}
                  <button type="button" class="quiet" onClick={() => void download(earlier.generation)}>
                    Download it
                  </button>
                </p>
              )}
            </For>
            <Show when={problem()}>{(text) => <p class="problem">{text()}</p>}</Show>
          </>
        )}
      </Show>
    </section>
  );
}
