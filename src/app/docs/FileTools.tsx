import { createEffect, createSignal, Show } from "solid-js";
import { Modal } from "../shell/Modal.tsx";
import { onMac, shownKeys } from "../shell/commands.ts";
import { keep } from "../shell/keep.ts";
import type { FileRef } from "../shell/route.ts";
import * as t from "../texts/docs-tools.ts";
import type { Mounted } from "./editor-mount.ts";
import { countWords } from "./editor/count.ts";
import { duplicate, type FileActions, isCopied, keepsItsName, rename } from "./file-actions.ts";
import { shownName } from "./names.ts";
import { createWhenPaused } from "./when-paused.ts";

/** Milliseconds without a change after which the words are counted again. */
const pause = 400;
const viKey = "vibey vi keys";
const [vi, setVi] = createSignal(localStorage.getItem(viKey) === "on");

export interface FileToolsProps {
  readonly editor: Mounted;
  readonly changes: number;
  readonly target: FileRef;
  readonly actions: FileActions;
  /** Where its history is; null where it has none of its own. */
  readonly history: string | null;
  /** Null where the text has no headings. */
  readonly outline: { readonly open: boolean; readonly toggle: () => void } | null;
}

/** The further half of the line below the text: what one looks for, and what can be done with the file. */
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
  const fixed = () => keepsItsName(props.target);
  return (
    <>
      <button type="button" class="quiet wide-only" onClick={() => props.editor.find()}>
        {t.find} <kbd>{shownKeys("Mod+KeyF", onMac())}</kbd>
      </button>
      <Show when={props.outline}>
        {(outline) => (
          <button type="button" class="quiet wide-only" aria-expanded={outline().open} onClick={() => outline().toggle()}>
            {t.outline}
          </button>
        )}
      </Show>
      <button type="button" class="quiet" aria-label={t.menuLabel} popovertarget="file-menu">
        {t.menu}
      </button>
      <div id="file-menu" popover="auto" class="menu file-menu">
        <button type="button" class="phone-only" popovertarget="file-menu" popovertargetaction="hide" onClick={() => props.editor.find()}>
          {t.findAndReplace}
        </button>
        <Show when={props.outline}>
          {(outline) => (
            <button
              type="button"
              class="phone-only"
              popovertarget="file-menu"
              popovertargetaction="hide"
              onClick={() => outline().toggle()}
            >
              {t.outline}
            </button>
          )}
        </Show>
        <Show when={props.history}>
          {(history) => (
            <a class="phone-only" href={history()}>
              {t.history}
            </a>
          )}
        </Show>
        <button
          type="button"
          disabled={fixed() !== null}
          title={fixed() ?? ""}
          popovertarget="file-menu"
          popovertargetaction="hide"
          onClick={() => setRenaming(true)}
        >
          {t.openRename}
        </button>
        <Show when={fixed()}>{(why) => <p>{why()}</p>}</Show>
        <Show when={isCopied(props.target)}>
          <button
            type="button"
            popovertarget="file-menu"
            popovertargetaction="hide"
            onClick={() => void duplicate(props.actions, props.target)}
          >
            {t.duplicate}
          </button>
        </Show>
        <button type="button" popovertarget="file-menu" popovertargetaction="hide" onClick={() => void props.actions.remove(props.target)}>
          {t.remove}
        </button>
        <button type="button" role="switch" aria-checked={vi()} class="switch" onClick={toggleVi}>
          {t.viKeys}
        </button>
      </div>
      <Show when={problem()}>{(message) => <span class="problem">{message()}</span>}</Show>
      <Count editor={props.editor} changes={props.changes} />
      <Show when={renaming()}>
        <Rename target={props.target} actions={props.actions} close={() => setRenaming(false)} />
      </Show>
    </>
  );
}

/** How many words: counted when the writer pauses. */
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

function Rename(props: { target: FileRef; actions: FileActions; close: () => void }) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  const name = () => (props.target.kind === "doc" ? shownName(props.target.name) : props.target.path);
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
            value={name()}
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
