import { createSignal } from "solid-js";
import { sideFork } from "../model/api/calls.ts";
import * as t from "../texts/side.ts";
import { Modal } from "../ui/Modal.tsx";
import { Problem } from "../ui/Problem.tsx";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./side.css";

/** The maximum length of a topic, in characters. */
const longest = 100;

/** Asks for the topic of a side discussion of message `index` (counted from 0), and starts the discussion. */
export default function SideDialog(props: { dialogId: string; index: number; go: (dialogId: string) => void; close: () => void }) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  async function start(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
    event.preventDefault();
    if (busy()) return;
    const given = new FormData(event.currentTarget).get("topic");
    const topic = typeof given === "string" ? given.trim().replaceAll(/\s+/g, " ") : "";
    if (topic === "") return setProblem(t.topicMissing);
    setBusy(true);
    const answer = await sideFork(props.dialogId, props.index + 1, topic);
    setBusy(false);
    if (!answer.ok) return setProblem(t.notStarted(answer.message));
    props.close();
    return props.go(answer.value.dialogId);
  }
  return (
    <Modal title={t.title} close={props.close}>
      <form class="side-form" onSubmit={(event) => void start(event)}>
        <p>{t.what}</p>
        <label>
          {t.topic}
          <input name="topic" maxLength={longest} autocomplete="off" autofocus aria-invalid={problem() !== null} />
        </label>
        <Problem text={problem()} />
        <button type="submit" class="primary" disabled={busy()}>
          {t.start}
        </button>
      </form>
    </Modal>
  );
}
