import { createSignal, Show } from "solid-js";
import { json } from "../model/api/calls.ts";
import { Visible } from "../calls/Visible.tsx";
import { currentProject } from "../model/current-project.ts";
import { ByKey } from "../ui/ByKey.tsx";
import { Modal } from "../ui/Modal.tsx";
import { projectNameProblem } from "./name.ts";
import { forgetProject, openProject, type ProjectName, projects, renameProject } from "./projects.ts";
import * as t from "../texts/project.ts";
import { Parts } from "../texts/Parts.tsx";

/** All projects in this browser: open one, rename it, or delete it with everything that is stored for it. */
export function ProjectsDialog(props: { close: () => void; changed: () => void }) {
  const here = currentProject();
  const [list, setList] = createSignal(projects());
  const [doing, setDoing] = createSignal<{ readonly id: string; readonly what: "rename" | "delete" } | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  const [rows, setRows] = createSignal<HTMLElement>();
  const isDoing = (id: string, what: "rename" | "delete") => doing()?.id === id && doing()?.what === what;

  function begin(id: string, what: "rename" | "delete") {
    setProblem(null);
    setDoing({ id, what });
  }
  function end() {
    const at = list().findIndex(({ id }) => id === doing()?.id);
    setList(projects());
    setDoing(null);
    setProblem(null);
    props.changed();
    // If the element with the focus is gone, focus the button of its row, or of the row that took its place.
    if (document.activeElement !== document.body) return;
    const row = rows()?.children[Math.min(at, list().length - 1)];
    row?.querySelector<HTMLElement>(".rename-this")?.focus();
  }

  async function rename(project: ProjectName, typed: string) {
    const name = typed.trim();
    const wrong = name === project.name ? null : projectNameProblem(name);
    if (wrong !== null) return setProblem(wrong);
    // The first project's name is only stored in this browser. The engine's list has the others.
    const stored =
      project.id === "" ? { ok: true as const } : await json(`projects/${project.id}`, { method: "PUT", body: JSON.stringify({ name }) });
    if (!stored.ok) return setProblem(t.notRenamed(stored.message));
    renameProject(project.id, name);
    return end();
  }

  async function remove(project: ProjectName) {
    setBusy(true);
    const removed = await json(`projects/${project.id}`, { method: "DELETE" });
    setBusy(false);
    if (!removed.ok) return setProblem(t.notDeleted(removed.message));
    forgetProject(project.id);
    return end();
  }

  return (
    <Modal title={t.projects} close={() => props.close()}>
      <ul class="projects" ref={setRows}>
        <ByKey each={list()} by={({ id }) => id}>
          {(project) => (
            <li>
              <Show
                when={!isDoing(project().id, "rename")}
                fallback={
                  <form
                    class="buttons"
                    onSubmit={(event) => {
                      event.preventDefault();
                      const typed = new FormData(event.currentTarget).get("name");
                      void rename(project(), typeof typed === "string" ? typed : "");
                    }}
                  >
                    <input
                      ref={(input) => queueMicrotask(() => input.select())}
                      name="name"
                      aria-label={t.nameOfProject}
                      value={project().name}
                      autocomplete="off"
                      aria-invalid={problem() !== null}
                      aria-describedby="projects-problem"
                    />
                    <button type="submit" class="primary">
                      {t.rename}
                    </button>
                    <button type="button" class="quiet" onClick={end}>
                      {t.cancel}
                    </button>
                  </form>
                }
              >
                <div class="project-line">
                  <strong>
                    <Visible text={project().name} />
                  </strong>
                  <Show
                    when={project().id === here}
                    fallback={
                      <button type="button" class="quiet small" onClick={() => openProject(project().id)}>
                        {t.open}
                      </button>
                    }
                  >
                    <span class="project-here">{t.openNow}</span>
                  </Show>
                  <button type="button" class="quiet small rename-this" onClick={() => begin(project().id, "rename")}>
                    {t.renameThis}
                  </button>
                  <Show when={project().id !== "" && project().id !== here}>
                    <button type="button" class="quiet small" onClick={() => begin(project().id, "delete")}>
                      {t.deleteThis}
                    </button>
                  </Show>
                </div>
              </Show>
              <Show when={isDoing(project().id, "delete")}>
                <fieldset class="project-delete">
                  <legend class="unseen">{t.deleteProject(project().name)}</legend>
                  <p>{t.deleteWhat}</p>
                  <div class="buttons">
                    <button ref={(button) => queueMicrotask(() => button.focus())} type="button" class="primary" onClick={end}>
                      {t.keep}
                    </button>
                    <button type="button" class="quiet" disabled={busy()} onClick={() => void remove(project())}>
                      <Parts of={t.deleteForGood} slots={{ name: () => <Visible text={project().name} /> }} />
                    </button>
                  </div>
                </fieldset>
              </Show>
            </li>
          )}
        </ByKey>
      </ul>
      <p id="projects-problem" class="problem" role="alert">
        {problem()}
      </p>
    </Modal>
  );
}
