import { createSignal, onCleanup, Show } from "solid-js";
import { Modal } from "../shell/Modal.tsx";
import { makeProject } from "./make.ts";
import { projectNameProblem } from "./name.ts";

const firstPage = (name: string) => `# ${name}

What should be made, and what should be true when it is done?

## How agents work here

- Small steps: one change at a time, and before each a sentence that says why.
- Ask when this page leaves something open.
`;

/** A project of its own, with a first page to write on. */
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
    if (!stop.signal.aborted && refused !== null) setProblem(`Not created: ${refused}`);
  }

  return (
    <Modal title="New project" close={() => props.close()}>
      <form class="new-project" onSubmit={(event) => void create(event)}>
        <label>
          Name
          <input name="name" autofocus autocomplete="off" aria-invalid={problem() !== null} aria-describedby="new-project-problem" />
        </label>
        <p id="new-project-problem" class="problem" role="alert">
          {problem()}
        </p>
        <p class="zip-note">It has its own docs, deed, dialogs and history. The one that is open now stays as it is.</p>
        <div class="buttons">
          <button type="submit" class="primary" disabled={busy()}>
            Create
          </button>
          <Show when={busy()}>
            <output>Making the project…</output>
          </Show>
        </div>
      </form>
    </Modal>
  );
}
