import { createSignal } from "solid-js";
import type { Surroundings } from "./editor/links.ts";

/** A range in a text. `line` is counted from 1; `from` and `to` are offsets in the line. */
export interface TextRange {
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

export interface EarlyStep {
  /** The text before the step. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The step wasn't typed: someone else's change was taken over. */
  readonly outside?: true;
}

export interface EditorMount {
  readonly parent: HTMLElement;
  /** The key of the undo history. */
  readonly file: string;
  readonly label: string;
  /** Shown while the text is empty. */
  readonly placeholder: string;
  readonly look: "prose" | "code";
  /** Whether its lines `> Authorized:` and `> Limit:` take effect. */
  readonly laws: boolean;
  readonly text: string;
  /** The changes made in the plain field, oldest first. */
  readonly early: readonly EarlyStep[];
  readonly selection: { readonly anchor: number; readonly head: number } | null;
  /** In pixels; null: where the file was left. */
  readonly scrolled: number | null;
  readonly focus: boolean;
  readonly surroundings: Surroundings;
  readonly onInput: (text: string) => void;
  /** The text changed, here or elsewhere. */
  readonly changed: () => void;
  readonly save: () => void;
}

/** The editor in the page. */
export interface Mounted {
  /** Takes over a text from elsewhere. The cursor stays in its line, and the change can be undone. */
  setText(text: string): void;
  /** Selects a range, scrolls it into view and focuses it. */
  jump(place: TextRange): void;
  /** Opens the find-and-replace panel. */
  find(): void;
  lines(): Iterable<string>;
  setVi(on: boolean): Promise<void>;
  destroy(): void;
}

const [loaded, setLoaded] = createSignal<((mount: EditorMount) => Mounted) | null>(null);
const [problem, setProblem] = createSignal<string | null>(null);
let loading = false;

/** Puts the editor into the page; null until its code has loaded. Until then, or if loading fails, the user writes in the plain field. */
export const editorMounter = loaded;
/** Why the editor's code could not be loaded. */
export const editorProblem = problem;

export async function loadEditor(): Promise<void> {
  if (loading || loaded() !== null) return;
  loading = true;
  try {
    // With `navigator.scheduling.isInputPending`, CodeMirror parses for up to 100 ms at a time, because it can stop for a key, but frames wait all that
    // time. Without it, CodeMirror parses while the browser is idle, for at most 45 ms at a time. It looks for it once, and nothing else uses it.
    Object.defineProperty(navigator, "scheduling", { value: undefined });
    const { mountEditor } = await import("./editor/mount.ts");
    // Running the editor's code takes long. Handle the keys pressed in the meantime before the editor is built.
    await new Promise((resolve) => setTimeout(resolve, 0));
    setLoaded(() => mountEditor);
    setProblem(null);
  } catch (error) {
    setProblem(error instanceof Error ? error.message : String(error));
  }
  loading = false;
}
