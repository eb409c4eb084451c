import { createSignal, onCleanup, onMount, Show } from "solid-js";
import type { EngineEvents } from "../api/events.ts";
import { Modal } from "../shell/Modal.tsx";
import { currentProject } from "../shell/current-project.ts";
import { noteExport } from "../storage/care.ts";
import { createProgress, Progress } from "./Progress.tsx";
import { fetchZip, save } from "./zip.ts";
import * as t from "../texts/project.ts";

/** Makes the zip, hands it to the browser and goes. */
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
  const [problem, setProblem] = createSignal<string | null>(null);
  const stop = new AbortController();
  onCleanup(() => stop.abort());
  // oxlint-disable-next-line solid/reactivity -- what is exported does not change while the dialog is open.
  const { scope } = props;
  // oxlint-disable-next-line solid/reactivity -- it begins once, when the dialog opens.
  onMount(() => void run());

  async function run() {
    setProblem(null);
    const zip = await fetchZip(scope, id, stop.signal);
    if (stop.signal.aborted) return;
    if (!zip.ok) return void setProblem(zip.message);
    save(zip.value, `vibey-${scope}-${new Date().toISOString().slice(0, 10)}.zip`);
    if (scope === "all") noteExport(localStorage, currentProject(), Date.now());
    props.announce(t.exported);
    props.close();
  }

  return (
    <Modal title={t.exportTitle} close={props.close}>
      <Show when={problem()} fallback={<Progress label={t.packing} part={part()} stop={props.close} />}>
        {(message) => (
          <>
            <p class="problem" role="alert">
              {t.notExported(message())}
            </p>
            <div class="buttons">
              <button type="button" class="primary" onClick={() => void run()}>
                {t.tryAgain}
              </button>
            </div>
          </>
        )}
      </Show>
    </Modal>
  );
}
