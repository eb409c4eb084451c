import { historyField } from "@codemirror/commands";
import { EditorState, type EditorStateConfig } from "@codemirror/state";

/** What a file was left like: its text with what can be undone, and how far it was scrolled. */
interface Left {
  readonly json: unknown;
  readonly size: number;
  /** How its lines ended: what can be undone counts in it. */
  readonly lineBreak: string;
  readonly scrollTop: number;
}

/** Files, and UTF-16 units of all of them, that are remembered; the ones left first go first. */
const most = { files: 40, units: 12_000_000 } as const;

const fields = { history: historyField };
const left = new Map<string, Left>();

/** Remembers, for the life of the page, what can be undone in this file. */
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

/** The file as it was left; null where it was not open yet, or its lines end otherwise now. */
export function comeBack(
  file: string,
  lineBreak: string,
  config: EditorStateConfig,
): { readonly state: EditorState; readonly scrollTop: number } | null {
  const known = left.get(file);
  return known?.lineBreak === lineBreak ? { state: EditorState.fromJSON(known.json, config, fields), scrollTop: known.scrollTop } : null;
}
