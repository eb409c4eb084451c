import { historyField } from "@codemirror/commands";
import { EditorState, type EditorStateConfig } from "@codemirror/state";

/** The state in which a file was left: its text with the undo history, and its scroll position. */
interface Left {
  readonly json: unknown;
  readonly size: number;
  /** The line break of the text: offsets in the undo history depend on it. */
  readonly lineBreak: string;
  readonly scrollTop: number;
}

/** The maximum number of remembered files, and of their UTF-16 units in total. The file that was left first is dropped first. */
const most = { files: 40, units: 12_000_000 } as const;

const fields = { history: historyField };
const left = new Map<string, Left>();

/** Remembers the undo history of this file for the life of the page. */
export function leave(file: string, state: EditorState, scrollTop: number): void {
  left.delete(file);
  left.set(file, { json: state.toJSON(fields), size: state.doc.length, lineBreak: state.lineBreak, scrollTop });
  let units = Array.from(left.values()).reduce((sum, { size }) => sum + size, 0);
  for (const [key, { size }] of left) {
    if (left.size <= most.files && units <= most.units) break;
    left.delete(key);
    units -= size;
  }
}

/** The file as it was left; null if it has not been open, or if its line ends have changed. */
export function comeBack(
  file: string,
  lineBreak: string,
  config: EditorStateConfig,
): { readonly state: EditorState; readonly scrollTop: number } | null {
  const known = left.get(file);
  return known?.lineBreak === lineBreak ? { state: EditorState.fromJSON(known.json, config, fields), scrollTop: known.scrollTop } : null;
}
