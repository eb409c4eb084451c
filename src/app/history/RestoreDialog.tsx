import { For, Show } from "solid-js";
import type { HistoryCommit } from "../../protocol/index.ts";
import { previewRestore } from "../model/api/history.ts";
import { createLatest } from "../model/api/latest.ts";
import { Visible } from "../calls/Visible.tsx";
import { slugOf } from "../docs/names.ts";
import { Modal } from "../ui/Modal.tsx";
import * as t from "../texts/history-restore.ts";
import { Parts } from "../texts/Parts.tsx";
import { fileTitle } from "./paths.ts";
import { listed, moment } from "./format.ts";

/** What restoring everything would change, before it happens. `running`: ids of the dialogs whose agents are working. */
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
    <Modal title={t.title} close={props.close}>
      <p>
        <Parts of={t.willRead(moment(props.commit.time))} slots={{ change: () => <Visible text={props.commit.summary} /> }} />
      </p>
      <Show when={props.running.length > 0}>
        <p class="at-work">
          <Parts of={t.atWork(props.running.length)} slots={{ names: () => <Visible text={listed(props.running.map(slugOf))} /> }} />
        </p>
      </Show>
      <Show when={failed()}>{(message) => <p class="problem">{t.notFoundOut(message())}</p>}</Show>
      <Show when={preview()} fallback={<p>{failed() === null ? t.looking : ""}</p>}>
        {(known) => (
          <Show when={known().files > 0} fallback={<p>{t.nothingToDo}</p>}>
            <section class="will-change" aria-labelledby="will-change">
              <h3 id="will-change">{t.willChange(known().files)}</h3>
              {/* Scrollable content must be reachable with the keyboard. */}
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
              <ul tabindex={0} aria-label={t.changedFiles}>
                <For each={known().paths}>
                  {(path) => (
                    <li>
                      <Visible text={fileTitle(path)} />
                    </li>
                  )}
                </For>
                <Show when={known().files > known().paths.length}>
                  <li>{t.more(known().files - known().paths.length)}</li>
                </Show>
              </ul>
            </section>
          </Show>
        )}
      </Show>
      <div class="buttons">
        <button type="button" class="primary" disabled={answer() === null} onClick={confirm}>
          {t.putBack}
        </button>
        <button type="button" class="quiet" onClick={() => props.close()}>
          {t.leave}
        </button>
      </div>
    </Modal>
  );
}
