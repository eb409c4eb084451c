import { createSignal } from "solid-js";
import type { Surroundings } from "./editor/links.ts";

/** A place in a text. `line` is counted from 1; `from` and `to` are offsets in it. */
export interface TextRange {
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

export interface EarlyStep {
  /** What the text read before. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** It was not typed: someone else's change was taken over. */
  readonly outside?: true;
}

export interface EditorMount {
  readonly parent: HTMLElement;
  /** What the undo history is kept under. */
  readonly file: string;
  readonly label: string;
  /** What shows where nothing is written yet. */
  readonly placeholder: string;
  readonly look: "prose" | "code";
  /** Whether its lines `> Authorized:` and `> Limit:` count. */
  readonly laws: boolean;
  readonly text: string;
  /** The changes that were made in the plain field, the first one first. */
  readonly early: readonly EarlyStep[];
  readonly selection: { readonly anchor: number; readonly head: number } | null;
  /** Pixels; null: where it was left. */
  readonly scrolled: number | null;
  readonly focus: boolean;
  readonly surroundings: Surroundings;
  readonly onInput: (text: string) => void;
  /** The text changed, by whomever. */
  readonly changed: () => void;
  readonly save: () => void;
}

/** The editor in the page. */
export interface Mounted {
  /** Takes a text that came from elsewhere: the cursor stays in its line, and it can be undone. */
  setText(text: string): void;
  /** Selects a place, brings it into sight and gives it the focus. */
  jump(place: TextRange): void;
  /** Opens the panel for find and replace. */
  find(): void;
  lines(): Iterable<string>;
  setVi(on: boolean): Promise<void>;
  destroy(): void;
}

const [loaded, setLoaded] = createSignal<((mount: EditorMount) => Mounted) | null>(null);
const [problem, setProblem] = createSignal<string | null>(null);
let loading = false;

/** What puts the editor into the page, once its code is there. Until then, and where it can't be had, the plain field is written in. */
export const editorMounter = loaded;
/** Why it is not there. */
export const editorProblem = problem;

export async function loadEditor(): Promise<void> {
  if (loading || loaded() !== null) return;
  loading = true;
  try {
    const { mountEditor } = await import("./editor/mount.ts");
    // It is much code; what was typed while it was run is heard before the editor is built.
    await new Promise((resolve) => setTimeout(resolve, 0));
    setLoaded(() => mountEditor);
    setProblem(null);
  } catch (error) {
    setProblem(error instanceof Error ? error.message : String(error));
  }
  loading = false;
}
