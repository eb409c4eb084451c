import { For, Show } from "solid-js";
import type { HistoryCommit } from "../../engine/api.ts";
import { previewRestore } from "../api/history.ts";
import { createLatest } from "../api/latest.ts";
import { Visible } from "../calls/Visible.tsx";
import { slugOf } from "../docs/names.ts";
import { Modal } from "../shell/Modal.tsx";
import { counted } from "../shell/words.ts";
import { fileTitle } from "./paths.ts";
import { listed, moment } from "./words.ts";

/** Before everything is put back: what will read otherwise. `running`: ids of the dialogs whose agents are at work. */
export default function RestoreDialog(props: {
  commit: HistoryCommit;
  running: readonly string[];
  close: () => void;
  confirm: () => void;
}) {
  const answer = createLatest(() => props.commit.id, previewRestore);
  const preview = () => {
    const got = answer();
    return got?.ok ? got.value : null;
  };
  const failed = () => {
    const got = answer();
    return got?.ok === false ? got.message : null;
  };
  function confirm() {
    props.confirm();
    props.close();
  }
  return (
    <Modal title="Put everything back?" close={props.close}>
      <p>
        The docs and the deed will read as they did on {moment(props.commit.time)}, after “
        <Visible text={props.commit.summary} />
        ”. Dialogs stay as they are. What is there now stays in the history, so this can be undone too.
      </p>
      <Show when={props.running.length > 0}>
        <p class="at-work">
          <Visible text={listed(props.running.map(slugOf))} /> {props.running.length === 1 ? "is" : "are"} at work: what was written up to
          now is put back too, what is written afterwards stays. To be sure, stop {props.running.length === 1 ? "it" : "them"} first.
        </p>
      </Show>
      <Show when={failed()}>{(message) => <p class="problem">What this changes could not be found out: {message()}</p>}</Show>
      <Show when={preview()} fallback={<p>{failed() === null ? "Looking what this changes…" : ""}</p>}>
        {(known) => (
          <Show when={known().files > 0} fallback={<p>Every file reads like that already.</p>}>
            <section class="will-change" aria-labelledby="will-change">
              <h3 id="will-change">{counted(known().files, "file")} will read otherwise</h3>
              {/* What scrolls must be reachable with keys. */}
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
              <ul tabindex={0} aria-label="Files that will read otherwise">
                <For each={known().paths}>
                  {(path) => (
                    <li>
                      <Visible text={fileTitle(path)} />
                    </li>
                  )}
                </For>
                <Show when={known().files > known().paths.length}>
                  <li>and {(known().files - known().paths.length).toLocaleString()} more</li>
                </Show>
              </ul>
            </section>
          </Show>
        )}
      </Show>
      <div class="buttons">
        <button type="button" class="primary" disabled={answer() === null} onClick={confirm}>
          Put everything back
        </button>
        <button type="button" class="quiet" onClick={() => props.close()}>
          Leave it as it is
        </button>
      </div>
    </Modal>
  );
}
