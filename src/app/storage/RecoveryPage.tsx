import { createSignal, For, onCleanup, Show } from "solid-js";
import type { CopyFound, RecoveryFrame } from "../../engine/api.ts";
import { createLatest } from "../api/latest.ts";
import { Visible } from "../calls/Visible.tsx";
import { beginAnew, copyZip, readRecovery, restoreCopy } from "./calls.ts";
import { save } from "../project/zip.ts";
import { copyRows, isJustBegun, lossWords } from "./words.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./storage.css";

/** Milliseconds between two looks whether another tab has chosen, or has let go of a copy. */
const lookMs = 2_000;

/** What became of the project, what there is of it, and the ways to go on. Nothing happens here before the human has chosen. */
export default function RecoveryPage() {
  /** How often it was seen that what is found may be more by now. */
  const [seen, setSeen] = createSignal(0);
  const found = createLatest(seen, () => readRecovery());
  const [problem, setProblem] = createSignal<string | null>(null);
  /** What is being done, and how much of it: from 0 to 1, null where nobody knows. */
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
    if (frame.type === "progress") setDoing({ text: "Restoring…", part: frame.part });
    if (frame.type === "waiting") setDoing({ text: frame.message, part: null });
  }

  async function restore(copy: CopyFound) {
    stop = new AbortController();
    setProblem(null);
    setDoing({ text: "Restoring…", part: 0 });
    const done = await restoreCopy(copy.generation, { signal: stop.signal, frame: tell });
    if (done.ok) return location.reload();
    setDoing(null);
    setProblem(stop.signal.aborted ? "Stopped. Nothing was restored, and the copy is as it was." : `Nothing was restored: ${done.message}`);
  }

  async function download(copy: CopyFound) {
    setProblem(null);
    const zip = await copyZip(copy.generation);
    if (zip.ok) save(zip.value, `vibey-second-copy-${new Date(copy.at).toISOString().slice(0, 10)}.zip`);
    else setProblem(`The copy could not be downloaded: ${zip.message}`);
  }

  async function anew() {
    setProblem(null);
    setDoing({ text: "Beginning an empty project…", part: null });
    const done = await beginAnew({ signal: new AbortController().signal, frame: tell });
    if (done.ok) return location.reload();
    setDoing(null);
    setProblem(`No new project could be begun: ${done.message}`);
  }

  return (
    <main class="recovery">
      <b class="name">vibey</b>
      <Show when={found()} fallback={<output>Looking for a copy of your project…</output>}>
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
                        Reload
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
                      <output>
                        Another tab of Vibey has a copy open, which can't be looked at meanwhile. Close Vibey's other tabs: the copy is
                        shown here as soon as they are gone.
                      </output>
                    </Show>
                    <Show
                      when={now().copies[0]}
                      fallback={
                        <Show when={!now().held && !isJustBegun(now())}>
                          <p>
                            No second copy of it can be read here{now().trouble === null ? "." : ` (${now().trouble}).`} If you exported it,
                            keep that zip: it can be imported once a project is open.
                          </p>
                        </Show>
                      }
                    >
                      {(copy) => (
                        <section class="copy" aria-labelledby="found">
                          <h2 id="found">A second copy was found</h2>
                          <Copy copy={copy()} busy={doing() !== null} restore={restore} download={download} primary />
                        </section>
                      )}
                    </Show>
                    <For each={now().copies.slice(1)}>
                      {(copy) => (
                        <details>
                          <summary>An older copy was found, too</summary>
                          <Copy copy={copy} busy={doing() !== null} restore={restore} download={download} />
                        </details>
                      )}
                    </For>
                    <Show when={doing()}>
                      {(work) => (
                        <div>
                          <output>{work().text}</output>
                          <Show when={work().part !== null}>
                            <progress max="1" value={work().part ?? 0} aria-label="Restored" />
                            <button type="button" class="quiet" onClick={() => stop?.abort()}>
                              Stop
                            </button>
                          </Show>
                        </div>
                      )}
                    </Show>
                    <Show when={problem()}>{(text) => <p role="alert">{text()}</p>}</Show>
                    <Show when={now().why === "unreadable" || now().trouble !== null}>
                      <div class="actions">
                        <button type="button" class="quiet" disabled={doing() !== null} onClick={() => location.reload()}>
                          Try again
                        </button>
                      </div>
                    </Show>
                    <Show
                      when={isJustBegun(now())}
                      fallback={<StartAnew hasCopy={now().copies.length > 0} busy={doing() !== null} begin={() => void anew()} />}
                    >
                      <div class="actions">
                        <button type="button" class="primary" disabled={doing() !== null} onClick={() => void anew()}>
                          There was nothing yet: begin
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

interface CopyProps {
  readonly copy: CopyFound;
  readonly busy: boolean;
  readonly primary?: boolean;
  readonly restore: (copy: CopyFound) => Promise<void>;
  readonly download: (copy: CopyFound) => Promise<void>;
}

function Copy(props: CopyProps) {
  return (
    <>
      <dl>
        <For each={copyRows(props.copy, Date.now())}>
          {([term, value]) => (
            <>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </>
          )}
        </For>
      </dl>
      <Show when={props.copy.torn}>
        <p>Its very end can't be read; what is listed here can.</p>
      </Show>
      <p class="detail">It holds no history of the files, and nothing of node_modules.</p>
      <div class="actions">
        <button
          type="button"
          class={props.primary ? "primary" : "quiet"}
          disabled={props.busy}
          onClick={() => void props.restore(props.copy)}
        >
          Restore this project
        </button>
        <button type="button" class="quiet" disabled={props.busy} onClick={() => void props.download(props.copy)}>
          Download the copy as a zip
        </button>
      </div>
    </>
  );
}

/** Asks twice: to open this, and to say so. */
function StartAnew(props: { hasCopy: boolean; busy: boolean; begin: () => void }) {
  const [sure, setSure] = createSignal(false);
  return (
    <details>
      <summary>Start anew instead…</summary>
      <p>
        An empty project takes the place of this one.
        <Show when={props.hasCopy}>
          {" "}
          The copy stays for a while, and can be downloaded in Settings until the new project has grown. Download it now if you may want it.
        </Show>
      </p>
      <label class="sure">
        <input type="checkbox" checked={sure()} onChange={(event) => setSure(event.currentTarget.checked)} />
        <span>I want to go on without my old project.</span>
      </label>
      <div class="actions">
        <button type="button" class="quiet" disabled={!sure() || props.busy} onClick={() => props.begin()}>
          Start an empty project
        </button>
      </div>
    </details>
  );
}
