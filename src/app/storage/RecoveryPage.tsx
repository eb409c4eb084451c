import { createSignal, For, onCleanup, Show } from "solid-js";
import type { CopyFound, RecoveryFrame } from "../../protocol/index.ts";
import { createLatest } from "../model/api/latest.ts";
import { Visible } from "../calls/Visible.tsx";
import { beginAnew, type Choosing, copyZip, keepBoth, keepOpened, readRecovery, restoreCopy } from "./calls.ts";
import { save } from "../project/zip.ts";
import * as both from "../texts/recovery-both.ts";
import * as t from "../texts/recovery.ts";
import { BothStores } from "./BothStores.tsx";
import { Copy } from "./Copy.tsx";
import { StartAnew } from "./StartAnew.tsx";
import { isJustBegun, lossWords, rememberedWords } from "./format.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./storage.css";

/** Milliseconds between checks whether another tab has made the choice, or has released a backup. */
const lookMs = 2_000;

/** What happened to the project, what is left of it, and the ways to continue. Nothing happens before the user has chosen. */
export default function RecoveryPage() {
  /** Increases when there may be more to find. */
  const [seen, setSeen] = createSignal(0);
  const found = createLatest(seen, () => readRecovery());
  const [problem, setProblem] = createSignal<string | null>(null);
  /** The operation in progress, and how far it is: from 0 to 1, null if unknown. */
  const [doing, setDoing] = createSignal<{ readonly text: string; readonly part: number | null } | null>(null);
  let stop: AbortController | null = null;

  async function lookAgain() {
    const answer = doing() ? null : await readRecovery();
    if (answer?.ok === false && answer.kind === "missing") location.reload();
    const before = found();
    if (answer?.ok && before?.ok && before.value.held && !doing()) setSeen(seen() + 1);
  }
  const look = setInterval(() => void lookAgain(), lookMs);
  onCleanup(() => clearInterval(look));

  function tell(frame: RecoveryFrame) {
    if (frame.type === "progress") setDoing({ text: t.restoring, part: frame.part });
    if (frame.type === "waiting") setDoing({ text: frame.message, part: null });
  }

  async function restore(copy: CopyFound) {
    stop = new AbortController();
    setProblem(null);
    setDoing({ text: t.restoring, part: 0 });
    const done = await restoreCopy(copy.generation, { signal: stop.signal, frame: tell });
    if (done.ok) return location.reload();
    setDoing(null);
    setProblem(stop.signal.aborted ? t.restoreStopped : t.notRestored(done.message));
  }

  async function download(copy: CopyFound) {
    setProblem(null);
    const zip = await copyZip(copy.generation);
    if (zip.ok) save(zip.value, `vibey-second-copy-${new Date(copy.at).toISOString().slice(0, 10)}.zip`);
    else setProblem(t.notDownloaded(zip.message));
  }

  /** Carries out a choice that may have been interrupted at any point. */
  async function choose(text: string, work: (choosing: Choosing) => ReturnType<typeof keepOpened>) {
    setProblem(null);
    setDoing({ text, part: null });
    const done = await work({ signal: new AbortController().signal, frame: tell });
    if (done.ok) return location.reload();
    setDoing(null);
    setProblem(both.notDone(done.message));
  }
  const merge = (copy: CopyFound) => choose(both.merging, (choosing) => keepBoth(copy.generation, choosing));
  const keep = () => choose(both.keeping, keepOpened);

  async function anew() {
    setProblem(null);
    setDoing({ text: t.beginning, part: null });
    const done = await beginAnew({ signal: new AbortController().signal, frame: tell });
    if (done.ok) return location.reload();
    setDoing(null);
    setProblem(t.notBegun(done.message));
  }

  return (
    <main class="recovery">
      <b class="name">{t.brand}</b>
      <Show when={found()} fallback={<output>{t.lookingForCopy}</output>}>
        {(answer) => {
          const recovery = () => {
            const now = answer();
            return now.ok ? now.value : null;
          };
          const failed = () => {
            const now = answer();
            return now.ok ? null : now.message;
          };
          return (
            <>
              <Show when={failed()}>
                {(message) => (
                  <>
                    <p role="alert">{message()}</p>
                    <div class="actions">
                      <button type="button" class="quiet" onClick={() => location.reload()}>
                        {t.reload}
                      </button>
                    </div>
                  </>
                )}
              </Show>
              <Show when={recovery()}>
                {(now) => (
                  <>
                    <h1>{lossWords(now()).title}</h1>
                    <p>{lossWords(now()).text}</p>
                    <Show when={now().message}>
                      {(message) => (
                        <p class="detail">
                          <Visible text={message()} />
                        </p>
                      )}
                    </Show>
                    <Show when={now().held}>
                      <output>{t.heldByTab}</output>
                    </Show>
                    <Show
                      when={now().opened}
                      fallback={
                        <>
                          <Show
                            when={now().copies[0]}
                            fallback={
                              <Show when={!now().held && !isJustBegun(now())}>
                                <Show when={rememberedWords(now(), Date.now())}>{(text) => <p>{text()}</p>}</Show>
                                <p>{t.noCopy(now().trouble)}</p>
                              </Show>
                            }
                          >
                            {(copy) => (
                              <section class="copy" aria-labelledby="found">
                                <h2 id="found">{t.copyFound}</h2>
                                <Copy copy={copy()} busy={doing() !== null} restore={restore} download={download} primary />
                              </section>
                            )}
                          </Show>
                          <For each={now().copies.slice(1)}>
                            {(copy) => (
                              <details>
                                <summary>{t.olderCopyFound}</summary>
                                <Copy copy={copy} busy={doing() !== null} restore={restore} download={download} />
                              </details>
                            )}
                          </For>
                        </>
                      }
                    >
                      {(opened) => (
                        <Show when={!now().held || now().copies.length > 0}>
                          <BothStores
                            opened={opened()}
                            copies={now().copies}
                            remembered={now().remembered}
                            busy={doing() !== null}
                            both={merge}
                            keep={keep}
                            restore={restore}
                            download={download}
                          />
                        </Show>
                      )}
                    </Show>
                    <Show when={doing()}>
                      {(work) => (
                        <div>
                          <output>{work().text}</output>
                          <Show when={work().part !== null}>
                            <progress max="1" value={work().part ?? 0} aria-label={t.restored} />
                            <button type="button" class="quiet" onClick={() => stop?.abort()}>
                              {t.stop}
                            </button>
                          </Show>
                        </div>
                      )}
                    </Show>
                    <Show when={problem()}>{(text) => <p role="alert">{text()}</p>}</Show>
                    <Show when={now().why === "unreadable" || now().trouble !== null}>
                      <div class="actions">
                        <button type="button" class="quiet" disabled={doing() !== null} onClick={() => location.reload()}>
                          {t.tryAgain}
                        </button>
                      </div>
                    </Show>
                    <Show
                      when={isJustBegun(now())}
                      fallback={<StartAnew hasCopy={now().copies.length > 0} busy={doing() !== null} begin={() => void anew()} />}
                    >
                      <div class="actions">
                        <button type="button" class="primary" disabled={doing() !== null} onClick={() => void anew()}>
                          {t.beginAsNothingYet}
                        </button>
                      </div>
                    </Show>
                  </>
                )}
              </Show>
            </>
          );
        }}
      </Show>
    </main>
  );
}
