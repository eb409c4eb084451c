import { createSignal, Show } from "solid-js";
import type { PutDialogBody } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { send } from "../model/api/send.ts";
import { formatRoute } from "../model/route.ts";
import { Modal } from "../ui/Modal.tsx";
import { Problem } from "../ui/Problem.tsx";
import * as t from "../texts/dialog-details.ts";
import * as limits from "../texts/time-limits.ts";
import { Imported } from "./Imported.tsx";
import { Leave } from "./Leave.tsx";
import type { Head } from "./running.ts";
import { commandSeconds, parseSeconds } from "./time-limit.ts";

/** What this dialog may do: its tools, its hosts, and how long its commands may run. */
export default function DialogDetails(props: { head: Head; active: boolean; close: () => void }) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const nothing = () => props.head.authorized.length + props.head.network.allowed.length + props.head.network.refused.length === 0;
  async function put(body: PutDialogBody) {
    const refused = await send(body);
    setProblem(refused === null ? null : t.notChanged(refused));
    return refused === null;
  }
  return (
    <Modal title={t.title} close={props.close}>
      <Show when={props.head.agent}>
        {(agent) => (
          <section>
            <h3>{t.agent(agent().slug)}</h3>
            <p>{t.agentTools(agent().tools)}</p>
            <Show when={agent().hash}>
              {(hash) => (
                <p>
                  <a href={formatRoute({ tab: "agents", versions: { slug: agent().slug, version: hash() } })}>
                    {t.agentVersion(hash().slice(0, 8))}
                  </a>
                </p>
              )}
            </Show>
            <details>
              <summary>{t.agentDefinition}</summary>
              <pre class="agent-definition">
                <Visible text={agent().text} />
              </pre>
            </details>
          </section>
        )}
      </Show>
      <section class="may-do">
        <h3>{t.toolsAndHosts}</h3>
        <Show when={nothing()}>
          <p>{t.nothing}</p>
        </Show>
        <Leave head={props.head} active={props.active} put={put} />
        <Problem text={problem()} />
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
    setProblem(refused === null ? null : t.notChanged(refused));
    return setSaved(refused === null);
  }
  return (
    <form class="time-limit" onSubmit={(event) => void save(event)} novalidate>
      <h3>{t.timeLimit}</h3>
      <p id="time-limit-now">{t.timeLimitNow(limits.seconds(props.head.commandSeconds))}</p>
      <div class="buttons">
        <label>
          <input
            type="number"
            name="seconds"
            inputmode="numeric"
            min={commandSeconds.least}
            max={commandSeconds.most}
            value={props.head.commandSeconds}
            aria-label={t.timeLimitField}
            aria-describedby="time-limit-now time-limit-problem"
            aria-invalid={problem() !== null}
          />
          <span aria-hidden="true">{t.seconds}</span>
        </label>
        <button type="submit" class="quiet">
          {t.change}
        </button>
        <output>{saved() ? t.changed : ""}</output>
      </div>
      <p id="time-limit-problem" class="problem" role="alert">
        {problem()}
      </p>
    </form>
  );
}
