import { For, Show } from "solid-js";
import type { HistoryCommit } from "../../engine/api.ts";
import { createLatest } from "../api/latest.ts";
import { Visible } from "../calls/Visible.tsx";
import { Modal } from "../shell/Modal.tsx";
import { counted } from "../shell/words.ts";
import { changedSince } from "./later.ts";
import { fileTitle } from "./paths.ts";
import { moment } from "./words.ts";

/** Files that are named; of more it says how many. */
const named = 200;

/** Before everything is put back: what will read otherwise. */
export default function RestoreDialog(props: { commit: HistoryCommit; close: () => void; confirm: () => void }) {
  const answer = createLatest(() => props.commit.id, changedSince);
  const later = () => {
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
      <Show when={failed()}>{(message) => <p class="problem">What was changed since could not be read: {message()}</p>}</Show>
      <Show when={later()} fallback={<p>{failed() === null ? "Looking what was changed since…" : ""}</p>}>
        {(known) => (
          <Show when={known().paths.length > 0} fallback={<p>Nothing was changed since, as far as the history knows.</p>}>
            <section class="will-change" aria-labelledby="will-change">
              <h3 id="will-change">
                {known().more ? "More than " : ""}
                {counted(known().paths.length, "file")} changed since
              </h3>
              {/* What scrolls must be reachable with keys. */}
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
              <ul tabindex={0} aria-label="Files changed since">
                <For each={known().paths.slice(0, named)}>
                  {(path) => (
                    <li>
                      <Visible text={fileTitle(path)} />
                    </li>
                  )}
                </For>
                <Show when={known().paths.length > named}>
                  <li>and {(known().paths.length - named).toLocaleString()} more</li>
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
