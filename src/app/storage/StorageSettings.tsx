import { createMemo, createSignal, For, Show } from "solid-js";
import type { CopyAnswer } from "../../protocol/index.ts";
import { createLatest } from "../model/api/latest.ts";
import { fileSize } from "../ui/format.ts";
import { copyZip, readCopy } from "./calls.ts";
import { readCare, writeCare } from "./care.ts";
import { save } from "../project/zip.ts";
import { currentProject } from "../model/current-project.ts";
import { Problem, Unread } from "../ui/Problem.tsx";
import { ago, moment } from "./ago.ts";
import { RemoveAll } from "./RemoveAll.tsx";
import * as t from "../texts/storage.ts";

/** How safe the project is in this browser, in plain words, and how to make it safer. */
export function StorageSettings() {
  const [asked, setAsked] = createSignal(0);
  const [problem, setProblem] = createSignal<string | null>(null);
  const browser = createLatest(asked, async () => ({
    persisted: (await navigator.storage?.persisted?.()) ?? false,
    used: (await navigator.storage?.estimate?.())?.usage ?? null,
    care: readCare(localStorage, currentProject()),
  }));
  const answer = createLatest(asked, () => readCopy());
  const copy = createMemo((last: CopyAnswer | null) => {
    const now = answer();
    return now?.ok ? now.value : last;
  }, null);
  const unread = () => {
    const now = answer();
    return now?.ok === false ? t.copyNotRead(now.message) : null;
  };

  async function ask() {
    const granted = (await navigator.storage?.persist?.()) ?? false;
    writeCare(localStorage, currentProject(), { asked: { at: Date.now(), granted } });
    setAsked(asked() + 1);
  }

  async function download(generation: number | null) {
    const zip = await copyZip(generation);
    setProblem(zip.ok ? null : t.notDownloaded(zip.message));
    if (zip.ok) save(zip.value, `vibey-second-copy-${new Date().toISOString().slice(0, 10)}.zip`);
  }

  return (
    <section class="storage">
      <h3 tabindex={-1}>{t.title}</h3>
      <Show when={browser()}>
        {(state) => (
          <>
            <p>
              {state().persisted ? t.kept : t.mayBeCleared}
              <Show when={state().used}>{(used) => <> {t.takes(fileSize(used()))}</>}</Show>{" "}
              {state().care.exportedAt === null ? t.neverExported : t.lastExported(ago(state().care.exportedAt ?? 0, Date.now()))}
            </p>
            <Show when={!state().persisted}>
              <Show when={state().care.asked}>{(before) => <p>{t.wasAsked(ago(before().at, Date.now()))}</p>}</Show>
              <button type="button" class="quiet" onClick={() => void ask()}>
                {t.askToKeep}
              </button>
              <p>{t.privateWindows}</p>
            </Show>
          </>
        )}
      </Show>
      <Show when={copy()}>
        {(state) => (
          <>
            <p>
              <Show when={state().kept} fallback={<Show when={state().trouble === null}>{t.copyToCome} </Show>}>
                {(kept) => <>{t.copyWritten(ago(kept().at, Date.now()), fileSize(kept().bytes))} </>}
              </Show>
              <Show when={state().trouble}>{(why) => <>{t.noCopyNow(why())}</>}</Show>
            </p>
            <Show when={state().damaged.length > 0}>
              <p class="problem">{t.lostBytes(state().damaged)}</p>
            </Show>
            <Show when={state().kept}>
              <button type="button" class="quiet" onClick={() => void download(null)}>
                {t.downloadCopy}
              </button>
            </Show>
            <For each={state().earlier}>
              {(earlier) => (
                <p>
                  {(earlier.own ? t.earlierOwnCopy : t.earlierCopy)(moment(earlier.at))}{" "}
                  <button type="button" class="quiet" onClick={() => void download(earlier.generation)}>
                    {t.downloadEarlier}
                  </button>
                </p>
              )}
            </For>
          </>
        )}
      </Show>
      <Unread text={unread()} again={() => setAsked(asked() + 1)} />
      <Problem text={problem()} />
      <RemoveAll />
    </section>
  );
}
