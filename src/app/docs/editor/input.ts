import { EditorView } from "@codemirror/view";

/**
 * A letter that takes the place of several lines. Left to the browser it joins their elements and keeps their looks as inline styles, which the page's
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

/** Other programs end lines in their own way; what is pasted or dropped gets the ends that the text has. */
export const pasted = EditorView.clipboardInputFilter.of((text, { lineBreak }) => text.replace(/\r\n?|\n/g, lineBreak));
