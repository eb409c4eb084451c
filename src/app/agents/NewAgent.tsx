import { createSignal, createUniqueId, For, Show } from "solid-js";
import { startDialog } from "../model/api/calls.ts";
import { opened } from "../model/api/opened.ts";
import type { Router } from "../model/route.ts";
import { defaultProvider } from "../providers/default-provider.ts";
import * as t from "../texts/agent-new.ts";
import { Problem } from "../ui/Problem.tsx";
import { addAgent } from "./load.ts";
import { type Abilities, draftRequest, newAgentText, slugOf, type Wanted } from "./new-agent.ts";

const abilities: readonly (readonly [Abilities, string])[] = [
  ["read", t.canRead],
  ["talk", t.canTalk],
  ["work", t.canWork],
];

/** Makes an agent from a name and a sentence: its file at once, or a draft that a model writes. */
export function NewAgent(props: { router: Router }) {
  const id = createUniqueId();
  const [isOpen, setOpen] = createSignal(false);
  const [name, setName] = createSignal("");
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  const [opener, setOpener] = createSignal<HTMLButtonElement>();

  /** What the form says; null: something is missing, which it tells. */
  function wanted(form: HTMLFormElement, needsDescription: boolean): Wanted | null {
    const data = new FormData(form);
    const text = (key: string): string => {
      const value = data.get(key);
      return typeof value === "string" ? value : "";
    };
    const can = abilities.find(([ability]) => ability === text("can"))?.[0] ?? "read";
    const all = { name: text("name"), description: text("description"), can };
    const missing =
      slugOf(all.name) === "" ? t.nameMissing : needsDescription && all.description.trim() === "" ? t.descriptionMissing : null;
    setProblem(missing);
    return missing === null ? all : null;
  }
  async function create(form: HTMLFormElement) {
    const agent = wanted(form, false);
    if (agent === null || busy()) return;
    setBusy(true);
    const slug = slugOf(agent.name);
    const written = await addAgent({ slug, text: newAgentText(agent) });
    setBusy(false);
    if (written.ok) props.router.go({ tab: "docs", file: { kind: "doc", name: `agent-${slug}.md` } });
    else setProblem(t.notCreated(written.message));
  }
  async function draft(form: HTMLFormElement) {
    const agent = wanted(form, true);
    if (agent === null || busy()) return;
    setBusy(true);
    const provider = await defaultProvider();
    const dialog =
      provider && (await opened(await startDialog({ provider, prompt: draftRequest(agent), slug: `draft-${slugOf(agent.name)}` })));
    setBusy(false);
    if (dialog === null) setProblem(t.noKey);
    else if (dialog.ok) props.router.go({ tab: "dialogs", dialogId: dialog.dialogId });
    else setProblem(t.notDrafted(dialog.message));
  }
  function close() {
    setOpen(false);
    setProblem(null);
    setName("");
    opener()?.focus();
  }
  return (
    <>
      <button type="button" ref={setOpener} class="primary" aria-expanded={isOpen()} onClick={() => (isOpen() ? close() : setOpen(true))}>
        {t.newAgent}
      </button>
      <Show when={isOpen()}>
        <form
          class="agent-new"
          aria-label={t.newAgent}
          novalidate
          onSubmit={(event) => {
            event.preventDefault();
            void create(event.currentTarget);
          }}
        >
          <label>
            {t.name}
            <input
              ref={(input) => queueMicrotask(() => input.focus())}
              name="name"
              autocomplete="off"
              maxlength={60}
              aria-describedby={`${id}-name`}
              onInput={(event) => setName(event.currentTarget.value)}
            />
            <span id={`${id}-name`} class="hint">
              {slugOf(name()) === "" ? "" : t.mentionedAs(slugOf(name()))}
            </span>
          </label>
          <label>
            {t.description}
            <textarea name="description" rows={2} maxlength={2_000} />
          </label>
          <label>
            {t.can}
            <select name="can">
              <For each={abilities}>{([ability, words]) => <option value={ability}>{words}</option>}</For>
            </select>
          </label>
          <Problem text={problem()} />
          <div class="buttons">
            <button type="submit" class="primary" disabled={busy()}>
              {t.create}
            </button>
            <button
              type="button"
              class="quiet"
              disabled={busy()}
              aria-describedby={`${id}-draft`}
              onClick={(event) => {
                const form = event.currentTarget.form;
                if (form) void draft(form);
              }}
            >
              {t.draft}
            </button>
            <button type="button" class="quiet" onClick={close}>
              {t.cancel}
            </button>
          </div>
          <p id={`${id}-draft`} class="hint">
            {t.draftHint}
          </p>
        </form>
      </Show>
    </>
  );
}
