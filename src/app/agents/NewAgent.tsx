import { createSignal, createUniqueId, For, Show } from "solid-js";
import { startDialog } from "../model/api/calls.ts";
import { opened } from "../model/api/opened.ts";
import type { Router } from "../model/route.ts";
import { defaultProvider } from "../providers/default-provider.ts";
import * as t from "../texts/agent-new.ts";
import { Problem } from "../ui/Problem.tsx";
import { addAgent } from "./load.ts";
import { newAgentDraft } from "./new-agent-draft.ts";
import { type Abilities, draftRequest, newAgentText, slugOf, type Wanted } from "./new-agent.ts";

const abilities: readonly (readonly [Abilities, string])[] = [
  ["read", t.canRead],
  ["talk", t.canTalk],
  ["work", t.canWork],
];

const abilityOf = (value: string): Abilities => abilities.find(([ability]) => ability === value)?.[0] ?? "read";

/** Creates an agent from a name and a sentence: its file at once, or a draft that a model writes. */
export function NewAgent(props: { router: Router }) {
  const id = createUniqueId();
  const { isOpen, setOpen, wanted, type } = newAgentDraft;
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  const [opener, setOpener] = createSignal<HTMLButtonElement>();
  const [nameField, setNameField] = createSignal<HTMLInputElement>();

  /** The content of the form. Null if something is missing; the form then says what. */
  function complete(needsDescription: boolean): Wanted | null {
    const all = wanted();
    const missing =
      slugOf(all.name) === "" ? t.nameMissing : needsDescription && all.description.trim() === "" ? t.descriptionMissing : null;
    setProblem(missing);
    return missing === null ? all : null;
  }
  async function create() {
    const agent = complete(false);
    if (agent === null || busy()) return undefined;
    setBusy(true);
    const slug = slugOf(agent.name);
    const written = await addAgent({ slug, text: newAgentText(agent) });
    setBusy(false);
    if (!written.ok) return setProblem(t.notCreated(written.message));
    newAgentDraft.end();
    return props.router.go({ tab: "docs", file: { kind: "doc", name: `agent-${slug}.md` } });
  }
  async function draft() {
    const agent = complete(true);
    if (agent === null || busy()) return undefined;
    setBusy(true);
    const provider = await defaultProvider();
    const dialog =
      provider && (await opened(await startDialog({ provider, prompt: draftRequest(agent), slug: `draft-${slugOf(agent.name)}` })));
    setBusy(false);
    if (dialog === null) return setProblem(t.noKey);
    if (!dialog.ok) return setProblem(t.notDrafted(dialog.message));
    newAgentDraft.end();
    return props.router.go({ tab: "dialogs", dialogId: dialog.dialogId });
  }
  function toggle() {
    setOpen(!isOpen());
    setProblem(null);
    if (isOpen()) nameField()?.focus();
  }
  function cancel() {
    newAgentDraft.end();
    setProblem(null);
    opener()?.focus();
  }
  return (
    <>
      <button type="button" ref={setOpener} class="primary" aria-expanded={isOpen()} onClick={toggle}>
        {t.newAgent}
      </button>
      <Show when={isOpen()}>
        <form
          class="agent-new"
          aria-label={t.newAgent}
          novalidate
          onSubmit={(event) => {
            event.preventDefault();
            void create();
          }}
        >
          <label>
            {t.name}
            <input
              ref={setNameField}
              name="name"
              autocomplete="off"
              maxlength={60}
              aria-describedby={`${id}-name`}
              value={wanted().name}
              onInput={(event) => type({ name: event.currentTarget.value })}
            />
            <span id={`${id}-name`} class="hint">
              {slugOf(wanted().name) === "" ? "" : t.mentionedAs(slugOf(wanted().name))}
            </span>
          </label>
          <label>
            {t.description}
            <textarea
              name="description"
              rows={2}
              maxlength={2_000}
              value={wanted().description}
              onInput={(event) => type({ description: event.currentTarget.value })}
            />
          </label>
          <label>
            {t.can}
            <select name="can" onChange={(event) => type({ can: abilityOf(event.currentTarget.value) })}>
              <For each={abilities}>
                {([ability, words]) => (
                  <option value={ability} selected={wanted().can === ability}>
                    {words}
                  </option>
                )}
              </For>
            </select>
          </label>
          <Problem text={problem()} />
          <div class="buttons">
            <button type="submit" class="primary" disabled={busy()}>
              {t.create}
            </button>
            <button type="button" class="quiet" disabled={busy()} aria-describedby={`${id}-draft`} onClick={() => void draft()}>
              {t.draft}
            </button>
            <button type="button" class="quiet" onClick={cancel}>
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
