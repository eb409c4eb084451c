import { createEffect, createSignal, Show } from "solid-js";
import { Modal } from "../ui/Modal.tsx";
import { CommandButton, linkCommand } from "../ui/CommandButton.tsx";
import { type Command, onMac, shownKeys } from "../ui/commands.ts";
import { keep } from "../ui/keep.ts";
import { offer } from "../ui/offered.ts";
import type { FileRef } from "../model/route.ts";
import * as t from "../texts/docs-tools.ts";
import type { Mounted } from "./editor-mount.ts";
import { countWords } from "./editor/count.ts";
import { duplicate, type FileActions, isCopied, keepsItsName, rename, startAgent } from "./file-actions.ts";
import { agentSlug, shownName } from "./names.ts";
import { createWhenPaused } from "./when-paused.ts";

/** Milliseconds without a change until the words are counted again. */
const pause = 400;
const viKey = "vibey vi keys";
const menuId = "file-menu";
const [vi, setVi] = createSignal(localStorage.getItem(viKey) === "on");

export interface FileToolsProps {
  readonly editor: Mounted;
  readonly changes: number;
  readonly target: FileRef;
  readonly actions: FileActions;
  /** The address of the file's history; null if the file has none of its own. */
  readonly history: string | null;
  /** Null if the text has no headings. */
  readonly outline: { readonly open: boolean; readonly toggle: () => void } | null;
}

/** The second half of the line below the text: search, and what can be done with the file. */
export default function FileTools(props: FileToolsProps) {
  const [renaming, setRenaming] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);
  createEffect(() => {
    void props.editor.setVi(vi()).then(
      () => setProblem(null),
      (error: unknown) => setProblem(t.viMissing(error instanceof Error ? error.message : String(error))),
    );
  });
  function toggleVi() {
    setVi(!vi());
    keep(viKey, vi() ? "on" : "off");
  }
  const name = () => (props.target.kind === "doc" ? shownName(props.target.name) : props.target.path);
  const fixed = () => keepsItsName(props.target);
  const find: Command = { label: t.findAndReplace, keys: "Mod+KeyF", run: () => props.editor.find() };
  const outline: Command = {
    label: t.outline,
    get hidden() {
      return props.outline === null;
    },
    run: () => props.outline?.toggle(),
  };
  // The line has its own link to the history. Read wherever the command is shown.
  // oxlint-disable-next-line solid/reactivity
  const history = linkCommand(t.history, () => props.history);
  const newName: Command = {
    label: t.openRename,
    get disabled() {
      return fixed() !== null;
    },
    run: () => setRenaming(true),
  };
  const copy: Command = {
    label: t.duplicate,
    get hidden() {
      return !isCopied(props.target);
    },
    run: () => void duplicate(props.actions, props.target),
  };
  /** The agent, if it can be started: `agent-Coder.md` can't. */
  const agent = () => {
    const slug = props.target.kind === "doc" ? agentSlug(props.target.name) : null;
    return slug !== null && props.target.kind === "doc" && props.target.name === `agent-${slug}.md` ? slug : null;
  };
  const startWith: Command = {
    get label() {
      return t.newDialogWith(agent() ?? "");
    },
    get hidden() {
      return agent() === null;
    },
    run: () => void startAgent(props.actions, props.target, agent() ?? ""),
  };
  const remove: Command = { label: t.remove, run: () => void props.actions.remove(props.target) };
  const viKeys: Command = {
    label: t.viKeys,
    get on() {
      return vi();
    },
    run: toggleVi,
  };
  offer({ commands: () => [startWith, find, outline, history, newName, copy, remove, viKeys], about: name });
  return (
    <>
      <Show when={agent()}>
        {(slug) => (
          <button type="button" class="tonal" aria-label={t.newDialogWith(slug())} onClick={() => startWith.run()}>
            {t.newDialog}
          </button>
        )}
      </Show>
      <button type="button" class="quiet wide-only" onClick={() => find.run()}>
        {t.find} <kbd>{shownKeys("Mod+KeyF", onMac())}</kbd>
      </button>
      <Show when={props.outline}>
        {(shown) => (
          <button type="button" class="quiet wide-only" aria-expanded={shown().open} onClick={() => outline.run()}>
            {outline.label}
          </button>
        )}
      </Show>
      <button type="button" class="quiet" aria-label={t.menuLabel} popovertarget={menuId}>
        {t.menu}
      </button>
      <div id={menuId} popover="auto" class="menu file-menu">
        <CommandButton of={find} menu={menuId} class="phone-only" />
        <CommandButton of={outline} menu={menuId} class="phone-only" />
        <CommandButton of={history} menu={menuId} class="phone-only" />
        <CommandButton of={newName} menu={menuId} title={fixed() ?? ""} />
        <Show when={fixed()}>{(why) => <p>{why()}</p>}</Show>
        <CommandButton of={copy} menu={menuId} />
        <CommandButton of={remove} menu={menuId} />
        <button type="button" role="switch" aria-checked={vi()} class="switch" onClick={() => viKeys.run()}>
          {viKeys.label}
        </button>
      </div>
      <Show when={problem()}>{(message) => <span class="problem">{message()}</span>}</Show>
      <Count editor={props.editor} changes={props.changes} />
      <Show when={renaming()}>
        <Rename target={props.target} name={name()} actions={props.actions} close={() => setRenaming(false)} />
      </Show>
    </>
  );
}

/** The number of words, counted when the writer pauses. */
function Count(props: { editor: Mounted; changes: number }) {
  const [count, setCount] = createSignal(0);
  createWhenPaused(
    () => props.editor,
    () => props.changes,
    pause,
    () => setCount(countWords(props.editor.lines())),
  );
  return <span class="count">{t.wordCount(count())}</span>;
}

function Rename(props: { target: FileRef; name: string; actions: FileActions; close: () => void }) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  async function send(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get("name");
    setBusy(true);
    const wrong = await rename(props.actions, props.target, typeof typed === "string" ? typed : "");
    setBusy(false);
    if (wrong === null) props.close();
    else setProblem(wrong);
  }
  return (
    <Modal title={t.rename} close={props.close}>
      <form class="rename" onSubmit={(event) => void send(event)}>
        <label>
          <span>{props.target.kind === "doc" ? t.renameDoc : t.renameDeed}</span>
          <input
            ref={(input) => queueMicrotask(() => input.select())}
            name="name"
            value={props.name}
            autocomplete="off"
            autocapitalize="off"
            aria-invalid={problem() !== null}
            aria-describedby="rename-problem"
          />
        </label>
        <p id="rename-problem" class="problem" role="alert">
          {problem()}
        </p>
        <p class="hint">{t.renameLinks}</p>
        <div class="buttons">
          <button type="submit" class="primary" disabled={busy()}>
            {t.rename}
          </button>
          <button type="button" class="quiet" onClick={() => props.close()}>
            {t.cancel}
          </button>
        </div>
      </form>
    </Modal>
  );
}
