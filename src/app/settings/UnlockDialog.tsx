// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./keys.css";
import { Show } from "solid-js";
import { readKeys, unlockKeys } from "../model/api/keys.ts";
import { createLatest } from "../model/api/latest.ts";
import { Modal } from "../ui/Modal.tsx";
import { UnlockForm } from "./UnlockForm.tsx";
import * as t from "../texts/unlock.ts";

/** Shown if something needs a saved key that is locked. */
export default function UnlockDialog(props: { answer: (unlocked: boolean) => void }) {
  const keys = createLatest(() => "now", readKeys);
  const known = () => {
    const answer = keys();
    return answer?.ok ? answer.value : null;
  };
  const unread = () => {
    const answer = keys();
    return answer?.ok === false ? answer.message : null;
  };
  return (
    <Modal title={t.title} close={() => props.answer(false)}>
      <p>{t.needed}</p>
      <Show when={unread()}>{(why) => <p class="problem">{t.notRead(why())}</p>}</Show>
      <Show when={known()}>
        {(answer) => <UnlockForm keys={answer()} send={unlockKeys} done={() => props.answer(true)} cancel={() => props.answer(false)} />}
      </Show>
    </Modal>
  );
}
