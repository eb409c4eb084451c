import { createSignal, Show } from "solid-js";
import type { PutDialogBody } from "../../engine/api.ts";
import { send } from "../api/send.ts";
import { Modal } from "../shell/Modal.tsx";
import { Imported } from "./Imported.tsx";
import { Leave } from "./Leave.tsx";
import type { Head } from "./open-dialog.ts";
import { commandSeconds, parseSeconds, secondsWords } from "./time-limit.ts";

/** What this dialog may do: its tools, its hosts, how long its commands may run. */
export default function DialogDetails(props: { head: Head; active: boolean; close: () => void }) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const nothing = () => props.head.authorized.length + props.head.network.allowed.length + props.head.network.refused.length === 0;
  async function put(body: PutDialogBody) {
    setProblem(await send(body));
  }
  return (
    <Modal title="What this dialog may do" close={props.close}>
      <section class="may-do">
        <h3>Tools and hosts</h3>
        <Show when={nothing()}>
          <p>Nothing: it asks before each command, each file it writes and each host it wants to reach.</p>
        </Show>
        <Leave head={props.head} active={props.active} put={(body) => void put(body)} />
        <Show when={problem()}>
          {(message) => (
            <p class="problem" role="alert">
              Not changed: {message()}
            </p>
          )}
        </Show>
      </section>
      <Imported head={props.head} active={props.active} put={(body) => void put(body)} />
      <TimeLimit head={props.head} />
    </Modal>
  );
}

function TimeLimit(props: { head: Head }) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [saved, setSaved] = createSignal(false);
  async function save(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get("seconds");
    const parsed = parseSeconds(typeof typed === "string" ? typed : "");
    setSaved(false);
    if (!parsed.ok) return setProblem(parsed.why);
    const refused = await send({ dialogId: props.head.dialogId, limits: { command: parsed.seconds } });
    setProblem(refused === null ? null : `Not changed: ${refused}`);
    return setSaved(refused === null);
  }
  return (
    <form class="time-limit" onSubmit={(event) => void save(event)} novalidate>
      <h3>Time limit of a command</h3>
      <p id="time-limit-now">
        Commands of this dialog may run {secondsWords(props.head.commandSeconds)}; then they are stopped, and what they printed is kept.
      </p>
      <div class="buttons">
        <label>
          <input
            type="number"
            name="seconds"
            inputmode="numeric"
            min={commandSeconds.least}
            max={commandSeconds.most}
            value={props.head.commandSeconds}
            aria-label="Seconds that a command may run"
            aria-describedby="time-limit-now time-limit-problem"
            aria-invalid={problem() !== null}
          />
          <span aria-hidden="true">seconds</span>
        </label>
        <button type="submit" class="quiet">
          Change
        </button>
        <output>{saved() ? "Changed." : ""}</output>
      </div>
      <p id="time-limit-problem" class="problem" role="alert">
        {problem()}
      </p>
    </form>
  );
}
