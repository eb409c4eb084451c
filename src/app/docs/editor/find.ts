import { getSearchQuery, search, searchPanelOpen } from "@codemirror/search";
import type { EditorState, Extension } from "@codemirror/state";
import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import * as t from "../../texts/docs-editor.ts";

/** Milliseconds of counting at a time. */
const slice = 8;
/** The maximum number of hits that are counted. */
const most = 10_000;

export interface Hit {
  readonly from: number;
  readonly to: number;
}

/** The hits of the open panel in a range; none while the panel is closed. */
export function* hitsIn(state: EditorState, from: number, to: number): Generator<Hit> {
  const query = getSearchQuery(state);
  if (!searchPanelOpen(state) || !query.valid) return;
  const cursor = query.getCursor(state, from, to);
  for (let next = cursor.next(); next.done !== true; next = cursor.next()) yield next.value;
}

/** Whether the panel was opened or closed, or its query has changed. */
export const looksForOther = ({ startState, state }: ViewUpdate): boolean =>
  searchPanelOpen(startState) !== searchPanelOpen(state) || getSearchQuery(startState) !== getSearchQuery(state);

/** "3 of 17" in the panel: the number of the selected hit, and how many there are. */
const counter = ViewPlugin.fromClass(
  class {
    readonly view: EditorView;
    readonly output = document.createElement("output");
    hits: Hit[] = [];
    isCounted = false;
    timer: ReturnType<typeof setTimeout> | undefined;
    constructor(view: EditorView) {
      this.view = view;
      this.output.className = "find-count";
    }
    update(update: ViewUpdate) {
      if (update.docChanged || looksForOther(update)) this.start();
      else if (update.selectionSet) this.show();
    }
    start() {
      clearTimeout(this.timer);
      this.hits = [];
      this.isCounted = false;
      if (!searchPanelOpen(this.view.state)) return;
      this.timer = setTimeout(() => this.begin());
    }
    begin() {
      this.show();
      const found = hitsIn(this.view.state, 0, this.view.state.doc.length);
      this.count(found);
    }
    count(found: Generator<Hit>) {
      const until = performance.now() + slice;
      for (let next = found.next(); ; next = found.next()) {
        if (next.done === true || this.hits.length === most) {
          this.isCounted = true;
          return this.show();
        }
        this.hits.push(next.value);
        if (performance.now() > until) {
          this.timer = setTimeout(() => this.count(found));
          return undefined;
        }
      }
    }
    show() {
      const panel = this.view.dom.querySelector(".cm-search");
      if (panel === null) return;
      if (this.output.parentElement !== panel) this.attach(panel);
      const { from, to } = this.view.state.selection.main;
      const at = this.hits.findIndex((hit) => hit.from === from && hit.to === to);
      const isAsked = getSearchQuery(this.view.state).valid && this.isCounted;
      this.output.textContent = isAsked ? t.found(at + 1, this.hits.length, this.hits.length === most) : "";
    }
    attach(panel: Element) {
      const field = panel.querySelector("[main-field]");
      field?.after(this.output);
      // The panel itself searches only on keyup, so it would miss pasted or dictated text.
      field?.addEventListener("input", () => field.dispatchEvent(new Event("change")));
    }
    destroy() {
      clearTimeout(this.timer);
    }
  },
);

export const find: Extension = [search({ top: true }), counter];
