import { createSignal, onCleanup, Show } from "solid-js";
import { Modal } from "../ui/Modal.tsx";
import { makeProject } from "./make.ts";
import { firstPage } from "../texts/first-page.ts";
import { projectNameProblem } from "./name.ts";
import * as t from "../texts/project.ts";

/** Creates a project with a first page to write on. */
export function NewProjectDialog(props: { close: () => void }) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  const stop = new AbortController();
  onCleanup(() => stop.abort());

  async function create(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
    event.preventDefault();
    if (busy()) return;
    const given = new FormData(event.currentTarget).get("name");
    const name = typeof given === "string" ? given.trim() : "";
    setProblem(projectNameProblem(name));
    if (problem() !== null) return;
    setBusy(true);
    const refused = await makeProject(name, { "doc-main.md": firstPage(name) }, stop.signal);
    setBusy(false);
    if (!stop.signal.aborted && refused !== null) setProblem(t.notCreated(refused));
  }

  return (
    <Modal title={t.newProject} close={() => props.close()}>
      <form class="new-project" onSubmit={(event) => void create(event)}>
        <label>
          {t.name}
          <input name="name" autofocus autocomplete="off" aria-invalid={problem() !== null} aria-describedby="new-project-problem" />
        </label>
        <p id="new-project-problem" class="problem" role="alert">
          {problem()}
        </p>
        <p class="zip-note">{t.aProjectOfItsOwn}</p>
        <div class="buttons">
          <button type="submit" class="primary" disabled={busy()}>
            {t.create}
          </button>
          <Show when={busy()}>
            <output>{t.making}</output>
          </Show>
        </div>
      </form>
    </Modal>
  );
}
