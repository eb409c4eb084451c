import { EditorView } from "@codemirror/view";

/** Overrides the editor's own style sheet. The look is in editor.css. */
export const theme = EditorView.theme({
  "&": { height: "100%", background: "transparent", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit", overflow: "auto" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ai)", borderLeftWidth: "2px" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "var(--ai-line)" },
  ".cm-gutters": { background: "transparent", border: "0", color: "var(--faint)" },
  ".cm-panels": { background: "var(--raised)", color: "var(--ink)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-tooltip": { background: "var(--raised)", border: "1px solid var(--line)", borderRadius: "var(--round)", boxShadow: "var(--shadow)" },
  ".cm-searchMatch": { background: "var(--wait-wash)", outline: "1px solid var(--wait-line)" },
  ".cm-searchMatch-selected": { background: "var(--wait-line)" },
  ".cm-selectionMatch": { background: "var(--sunk)" },
  ".cm-specialChar": { color: "var(--del)" },
  ".cm-placeholder": { color: "var(--faint)" },
});
