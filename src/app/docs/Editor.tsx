import { createEffect, createRenderEffect, createSignal, onCleanup, Show, untrack } from "solid-js";
import * as t from "../texts/docs.ts";
import { firstLook, maxFieldLength, maxFirstLookLength } from "./first-look.ts";
import { type EarlyStep, editorMounter, editorProblem, loadEditor, type EditorMount, type Mounted } from "./editor-mount.ts";
import { onChange } from "../ui/on-change.ts";

/** Milliseconds until the editor is fetched, unless the user starts to write before. */
const idle = 1_200;
/** Typing in the plain field can be undone in the editor: up to this many steps, in texts of up to this many UTF-16 units. */
const early = { steps: 200, units: 100_000 } as const;

export interface EditorProps extends Pick<EditorMount, "file" | "label" | "look" | "laws" | "surroundings" | "changed" | "save"> {
  readonly value: string;
  /** `file`: the file that the text was typed into. The last call can come when another file is already open. */
  readonly onInput: (text: string, file: string) => void;
  /** Called with the editor when it exists, and with null when it is removed. */
  readonly mounted: (editor: Mounted | null) => void;
}

/**
 * A text editor that knows nothing of files: it reports what is typed, and shows the text it is given. A plain field is there at once. The editor
 * replaces it when its code has loaded, and takes over the text, the selection and the undo steps; never while a character is being composed.
 */
export function Editor(props: EditorProps) {
  const [editor, setEditor] = createSignal<Mounted | null>(null);
  const [composing, setComposing] = createSignal(false);
  const [host, setHost] = createSignal<HTMLElement>();
  /** The editor's code is already loaded, so the field would be replaced before anyone sees it. Laying out a long text in it would take seconds. */
  const isReady = untrack(editorMounter) !== null;
  const steps: EarlyStep[] = [];
  /** The last text typed into the plain field. */
  let own: string | null = null;
  let field: HTMLTextAreaElement | undefined;
  /** Whether the field has never been focused. Until it is, the text is drawn over it as the editor will draw it. */
  const [untouched, setUntouched] = createSignal(true);
  const drawn = () => untouched() && props.look === "prose" && props.value.length <= maxFirstLookLength;
  const [look, setLook] = createSignal<HTMLDivElement>();
  const placeholder = () => (props.look === "prose" ? t.writeHere : "");
  /** The text in the editor, as far as this component knows. */
  let told = "";

  /**
   * Whether the field can hold the text. A browser lays out a whole field, which takes a second for a megabyte. A field that has been focused stays.
   */
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
  onChange(
    () => props.value,
    (text, before) => {
      if (editor() === null && text !== own && steps.length > 0) steps.push({ text: before ?? "", at: Date.now(), outside: true });
      if (text === told) return;
      told = text;
      editor()?.setText(text);
    },
    { defer: true },
  );

  /** Setting a field's text moves the cursor to its end. Here, the cursor stays before the text that followed it. */
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
    // The field only knows LF as line end.
    own = last.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
    props.onInput(own, props.file);
  }
  /** The drawn lines have other positions than those of the field. The cursor goes to the end of the line that was pressed. */
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
