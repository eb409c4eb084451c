import { EditorView } from "@codemirror/view";

/**
 * Handles typing over a selection of several lines. The browser would join their elements and keep their looks as inline styles, which the page's
 * policy forbids.
 */
export const overLines = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { selection, doc } = view.state;
    const { from, to } = selection.main;
    if (event.inputType !== "insertText" || event.data === null || event.isComposing || selection.ranges.length > 1) return false;
    if (doc.lineAt(from).to >= to) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

/** Other programs use other line ends. Pasted or dropped text gets the line ends of the document. */
export const pasted = EditorView.clipboardInputFilter.of((text, { lineBreak }) => text.replace(/\r\n?|\n/g, lineBreak));
