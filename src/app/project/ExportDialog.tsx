import { createSignal, Match, onCleanup, onMount, Switch } from "solid-js";
import type { EngineEvents } from "../model/api/events.ts";
import { Modal } from "../ui/Modal.tsx";
import { currentProject } from "../model/current-project.ts";
import { noteExport } from "../storage/care.ts";
import type { OutgoingAnswer } from "../../protocol/index.ts";
import { isWorthAsking } from "./outgoing.ts";
import { OutgoingStep } from "./OutgoingStep.tsx";
import { createProgress } from "../model/api/progress.ts";
import { Progress } from "./Progress.tsx";
import { type ExportChoice, fetchZip, lookOut, save } from "./zip.ts";
import * as o from "../texts/outgoing.ts";
import * as t from "../texts/project.ts";

/** Looks for content that would run outside the browser, asks the user if there is any, creates the zip, downloads it and closes. */
export function ExportDialog(props: {
  events: EngineEvents;
  scope: "docs" | "dialogs" | "all";
  close: () => void;
  announce: (text: string) => void;
}) {
  const id = crypto.randomUUID();
  // It lives as long as the dialog.
  // oxlint-disable-next-line solid/reactivity
  const part = createProgress(props.events, id);
  const [problem, setProblem] = createSignal<{ readonly text: string; readonly again: () => void } | null>(null);
  const [found, setFound] = createSignal<OutgoingAnswer | null>(null);
  const [packing, setPacking] = createSignal(false);
  const stop = new AbortController();
  onCleanup(() => stop.abort());
  // oxlint-disable-next-line solid/reactivity -- what is exported does not change while the dialog is open.
  const { scope } = props;
  // oxlint-disable-next-line solid/reactivity -- it begins once, when the dialog opens.
  onMount(() => void look());

  async function look() {
    setProblem(null);
    const answer = await lookOut(scope, stop.signal);
    if (stop.signal.aborted) return;
    if (!answer.ok) return void setProblem({ text: o.notLooked(answer.message), again: () => void look() });
    if (isWorthAsking(answer.value)) return void setFound(answer.value);
    await run({ form: "safe", packages: true });
  }

  async function run(choice: ExportChoice) {
    setProblem(null);
    setFound(null);
    setPacking(true);
    const zip = await fetchZip(scope, choice, id, stop.signal);
    if (stop.signal.aborted) return;
    if (!zip.ok) return void setProblem({ text: t.notExported(zip.message), again: () => void run(choice) });
    save(zip.value, `vibey-${scope}-${new Date().toISOString().slice(0, 10)}.zip`);
    if (scope === "all") noteExport(localStorage, currentProject(), Date.now());
    props.announce(t.exported);
    props.close();
  }

  return (
    <Modal title={t.exportTitle} close={props.close}>
      <Switch fallback={<Progress label={packing() ? t.packing : o.looking} part={part()} stop={props.close} />}>
        <Match when={problem()}>
          {(what) => (
            <>
              <p class="problem" role="alert">
                {what().text}
              </p>
              <div class="buttons">
                <button type="button" class="primary" onClick={() => what().again()}>
                  {t.tryAgain}
                </button>
              </div>
            </>
          )}
        </Match>
        <Match when={found()}>{(answer) => <OutgoingStep found={answer()} go={(choice) => void run(choice)} />}</Match>
      </Switch>
    </Modal>
  );
}
