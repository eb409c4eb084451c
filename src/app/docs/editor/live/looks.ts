import { Decoration, type EditorView, WidgetType } from "@codemirror/view";
import { taskDone } from "../../../texts/docs-editor.ts";
import { ValueWidget } from "../value-widget.ts";

/** A checkbox for `[ ]`; `value`: whether it is checked. It belongs to the text: a click changes the character between the brackets. */
class TaskWidget extends ValueWidget<boolean> {
  toDOM(view: EditorView) {
    const input = document.createElement("input");
    input.type = "checkbox";
    input.className = "md-task";
    input.checked = this.value;
    // Keyboard users toggle the task from its line.
    input.tabIndex = -1;
    input.setAttribute("aria-label", taskDone);
    input.addEventListener("mousedown", (event) => event.preventDefault());
    input.addEventListener("click", (event) => {
      event.preventDefault();
      const at = view.posAtDOM(input) + 1;
      if (view.state.readOnly) return;
      view.dispatch({ changes: { from: at, to: at + 1, insert: this.value ? " " : "x" }, userEvent: "input" });
    });
    return input;
  }
  override ignoreEvent() {
    return true;
  }
}

class BulletWidget extends WidgetType {
  override eq() {
    return true;
  }
  toDOM() {
    const dom = document.createElement("span");
    dom.className = "md-bullet";
    dom.append("•");
    return dom;
  }
}

export const hidden = Decoration.replace({});
export const bullet = Decoration.replace({ widget: new BulletWidget() });
export const tasks = {
  on: Decoration.replace({ widget: new TaskWidget(true) }),
  off: Decoration.replace({ widget: new TaskWidget(false) }),
};

const mark = (name: string) => Decoration.mark({ class: name });
export const marks = {
  faint: mark("md-mark"),
  code: mark("md-inline-code"),
  link: mark("md-link"),
  missing: mark("md-link md-link-missing"),
  number: mark("md-number"),
  indent: mark("md-indent"),
  done: mark("md-done"),
} as const;

const line = (name: string) => Decoration.line({ class: name });
export const lines = {
  quote: line("md-quote"),
  code: line("md-code"),
  fenceFirst: line("md-code md-fence md-fence-first"),
  fenceLast: line("md-code md-fence md-fence-last"),
  rule: line("md-rule"),
  blank: line("md-blank"),
  row: line("md-table"),
  tableRule: line("md-table md-table-rule"),
  tableSource: line("md-table-source"),
} as const;
export const headings = [1, 2, 3, 4, 5, 6].map((level) => line(`md-h md-h${level}`));

/** Items deeper than this look like items of this depth. */
const deepest = 6;
const each = (look: string) => Array.from({ length: deepest }, (_, depth) => line(`${look} md-depth-${depth + 1}`));
const [firsts, rests] = [each("md-item"), each("md-item-rest")];

/** The decorations of an item's first line and of its other lines. `depth`: counted from 1. */
export const itemLines = (depth: number): readonly [Decoration | undefined, Decoration | undefined] => {
  const at = Math.min(depth, deepest) - 1;
  return [firsts[at], rests[at]];
};
