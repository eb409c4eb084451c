import { createSignal, For, Show } from "solid-js";
import { json } from "../api/calls.ts";
import { Visible } from "../calls/Visible.tsx";
import { currentProject } from "../shell/current-project.ts";
import { Modal } from "../shell/Modal.tsx";
import { projectNameProblem } from "./name.ts";
import { forgetProject, openProject, type ProjectName, projects, renameProject } from "./projects.ts";

/** All projects of this browser: open one, call it otherwise, delete it with everything that is kept of it. */
export function ProjectsDialog(props: { close: () => void; changed: () => void }) {
  const here = currentProject();
  const [list, setList] = createSignal(projects());
  const [doing, setDoing] = createSignal<{ readonly id: string; readonly what: "rename" | "delete" } | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  const isDoing = (id: string, what: "rename" | "delete") => doing()?.id === id && doing()?.what === what;

  function begin(id: string, what: "rename" | "delete") {
    setProblem(null);
    setDoing({ id, what });
  }
  function end() {
    setList(projects());
    setDoing(null);
    setProblem(null);
    props.changed();
  }

  async function rename(project: ProjectName, typed: string) {
    const name = typed.trim();
    const wrong = name === project.name ? null : projectNameProblem(name);
    if (wrong !== null) return setProblem(wrong);
    // The first project is called what this browser calls it; the engine's list has the others.
    const stored =
      project.id === "" ? { ok: true as const } : await json(`projects/${project.id}`, { method: "PUT", body: JSON.stringify({ name }) });
    if (!stored.ok) return setProblem(`Not renamed: ${stored.message}`);
    renameProject(project.id, name);
    return end();
  }

  async function remove(project: ProjectName) {
    setBusy(true);
    const removed = await json(`projects/${project.id}`, { method: "DELETE" });
    setBusy(false);
    if (!removed.ok) return setProblem(`Not deleted: ${removed.message}`);
    forgetProject(project.id);
    return end();
  }

  return (
    <Modal title="Projects" close={() => props.close()}>
      <ul class="projects">
        <For each={list()}>
          {(project) => (
            <li>
              <Show
                when={!isDoing(project.id, "rename")}
                fallback={
                  <form
                    class="buttons"
                    onSubmit={(event) => {
                      event.preventDefault();
                      const typed = new FormData(event.currentTarget).get("name");
                      void rename(project, typeof typed === "string" ? typed : "");
                    }}
                  >
                    <input
                      ref={(input) => queueMicrotask(() => input.select())}
                      name="name"
                      aria-label="Name of the project"
                      value={project.name}
                      autocomplete="off"
                      aria-invalid={problem() !== null}
                      aria-describedby="projects-problem"
                    />
                    <button type="submit" class="primary">
                      Rename
                    </button>
                    <button type="button" class="quiet" onClick={end}>
                      Cancel
                    </button>
                  </form>
                }
              >
                <div class="project-line">
                  <strong>
                    <Visible text={project.name} />
                  </strong>
                  <Show
                    when={project.id === here}
                    fallback={
                      <button type="button" class="quiet small" onClick={() => openProject(project.id)}>
                        Open
                      </button>
                    }
                  >
                    <span class="project-here">open now</span>
                  </Show>
                  <button type="button" class="quiet small" onClick={() => begin(project.id, "rename")}>
                    Rename…
                  </button>
                  <Show when={project.id !== "" && project.id !== here}>
                    <button type="button" class="quiet small" onClick={() => begin(project.id, "delete")}>
                      Delete…
                    </button>
                  </Show>
                </div>
              </Show>
              <Show when={isDoing(project.id, "delete")}>
                <fieldset class="project-delete">
                  <legend class="unseen">Delete {project.name}</legend>
                  <p>
                    This deletes its docs, deed, dialogs, history and second copy from this browser. It can't be undone: if you may want it
                    again, open it and export everything first.
                  </p>
                  <div class="buttons">
                    <button type="button" class="quiet" disabled={busy()} onClick={() => void remove(project)}>
                      Delete “<Visible text={project.name} />” for good
                    </button>
                    <button ref={(button) => queueMicrotask(() => button.focus())} type="button" class="primary" onClick={end}>
                      Keep it
                    </button>
                  </div>
                </fieldset>
              </Show>
            </li>
          )}
        </For>
      </ul>
      <p id="projects-problem" class="problem" role="alert">
        {problem()}
      </p>
    </Modal>
  );
}
