import { createEffect, createRenderEffect, createSignal, on, onCleanup, Show, untrack } from "solid-js";
import * as t from "../texts/docs.ts";
import { firstLook, maxFieldLength, maxFirstLookLength } from "./first-look.ts";
import { type EarlyStep, editorMounter, editorProblem, loadEditor, type EditorMount, type Mounted } from "./editor-mount.ts";

/** Milliseconds after which the editor is fetched, unless someone begins to write before. */
const idle = 1_200;
/** What is typed into the plain field can be undone in the editor, up to so many steps, and in texts of so many UTF-16 units. */
const early = { steps: 200, units: 100_000 } as const;

export interface EditorProps extends Pick<EditorMount, "file" | "label" | "look" | "laws" | "surroundings" | "changed" | "save"> {
  readonly value: string;
  /** `file`: the one that it was typed into; the last of it can come when another one is open already. */
  readonly onInput: (text: string, file: string) => void;
  /** The editor, once it is there; null when it goes. */
  readonly mounted: (editor: Mounted | null) => void;
}

/**
 * Text to write in. It knows nothing of files: what is typed goes out, what is given shows. A plain field is there at once; the editor takes its place
 * when its code has come, with the text, the selection and what can be undone, and never in the middle of a composed character.
 */
export function Editor(props: EditorProps) {
  const [editor, setEditor] = createSignal<Mounted | null>(null);
  const [composing, setComposing] = createSignal(false);
  const [host, setHost] = createSignal<HTMLElement>();
  /** The editor's code is there, so the field would be gone before it is seen; but a long text in it would be laid out for seconds. */
  const isReady = untrack(editorMounter) !== null;
  const steps: EarlyStep[] = [];
  /** What was typed into the plain field last. */
  let own: string | null = null;
  let field: HTMLTextAreaElement | undefined;
  /** The field has not been focused yet: until then the text is drawn over it, as the editor will. */
  const [untouched, setUntouched] = createSignal(true);
  const drawn = () => untouched() && props.look === "prose" && props.value.length <= maxFirstLookLength;
  const [look, setLook] = createSignal<HTMLDivElement>();
  const placeholder = () => (props.look === "prose" ? t.writeHere : "");
  /** What the editor reads, as far as is known here. */
  let told = "";

  /** A browser lays out all of a field, for a second where the text is a megabyte. One that someone is in stays. */
  const fits = () => !untouched() || props.value.length <= maxFieldLength || editorProblem() !== null;

  const timer = setTimeout(() => void loadEditor(), untrack(fits) ? idle : 0);
  onCleanup(() => {
    clearTimeout(timer);
    if (editor() === null) return;
    editor()?.destroy();
    props.mounted(null);
  });

  createEffect(() => {
    const [mount, parent] = [editorMounter(), host()];
    if (mount === null || parent === undefined || composing() || untrack(editor) !== null) return;
    untrack(() => {
      const used = field !== undefined && (document.activeElement === field || steps.length > 0);
      const back = field?.selectionDirection === "backward";
      const [start, end] = [field?.selectionStart ?? 0, field?.selectionEnd ?? 0];
      told = props.value;
      const file = props.file;
      const mounted = mount({
        ...props,
        placeholder: placeholder(),
        parent,
        text: told,
        early: steps,
        selection: used ? { anchor: back ? end : start, head: back ? start : end } : null,
        scrolled: field !== undefined && field.scrollTop > 0 ? field.scrollTop : null,
        focus: field !== undefined && document.activeElement === field,
        onInput(text) {
          told = text;
          props.onInput(text, file);
        },
        changed: () => props.changed(),
        save: () => props.save(),
      });
      setEditor(mounted);
      props.mounted(mounted);
    });
  });
  createEffect(
    on(
      () => props.value,
      (text, before) => {
        if (editor() === null && text !== own && steps.length > 0) steps.push({ text: before ?? "", at: Date.now(), outside: true });
        if (text === told) return;
        told = text;
        editor()?.setText(text);
      },
      { defer: true },
    ),
  );

  /** A field that is given another text puts the cursor at its end; here it stays before what stood behind it. */
  function follow(element: HTMLTextAreaElement) {
    field = element;
    createRenderEffect(() => {
      const { value: old, selectionStart, selectionEnd } = element;
      element.value = props.value;
      const text = element.value;
      if (text === old || document.activeElement !== element) return;
      const moved = (at: number) => (text.endsWith(old.slice(at)) ? text.length - old.length + at : at);
      element.setSelectionRange(moved(selectionStart), moved(selectionEnd));
    });
  }

  function typed(text: string) {
    const last = props.value;
    if (last.length <= early.units && steps.length < early.steps) steps.push({ text: last, at: Date.now() });
    setUntouched(false);
    // The field knows no other end of a line than LF.
    own = last.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
    props.onInput(own, props.file);
  }
  /** The drawn lines lie elsewhere than those of the field: the cursor goes to the end of the one that was pressed. */
  function goToLine(event: PointerEvent & { currentTarget: HTMLTextAreaElement }) {
    if (!drawn()) return;
    const lines = Array.from(look()?.querySelectorAll(".cm-line") ?? []);
    const pressed = lines.findIndex((line) => line.getBoundingClientRect().bottom > event.clientY);
    const until = props.value.split("\n").slice(0, pressed < 0 ? undefined : pressed + 1);
    event.preventDefault();
    const at = until.join("\n").length;
    event.currentTarget.focus();
    event.currentTarget.setSelectionRange(at, at);
  }
  return (
    <div class={`editor-host editor-${props.look}`}>
      <Show when={editor() === null && !isReady && fits()}>
        <textarea
          ref={follow}
          class="editor"
          aria-label={props.label}
          spellcheck={props.look === "prose"}
          autocapitalize={props.look === "prose" ? "sentences" : "off"}
          placeholder={placeholder()}
          classList={{ covered: drawn() && props.value !== "" }}
          onPointerDown={goToLine}
          onScroll={(event) => look()?.scrollTo(0, event.currentTarget.scrollTop)}
          onFocus={() => {
            setUntouched(false);
            void loadEditor();
          }}
          onCompositionStart={() => setComposing(true)}
          onCompositionEnd={() => queueMicrotask(() => setComposing(false))}
          onInput={(event) => typed(event.currentTarget.value)}
        />
        <Show when={drawn()}>
          <div ref={setLook} class="cm-editor first-look" aria-hidden="true">
            <div class="cm-content">{firstLook(props.value)}</div>
          </div>
        </Show>
      </Show>
      <div ref={setHost} class="editor-mount" />
    </div>
  );
}
