import type { Extension } from "@codemirror/state";
import { type EditorView, type Panel, showPanel } from "@codemirror/view";
import { getCM, Vim, vim } from "@replit/codemirror-vim";
import * as t from "../../texts/docs-editor.ts";

/** vi key bindings. `:w` saves. */
export function viKeys(save: () => void): Extension {
  Vim.defineEx("write", "w", () => save());
  // vi's own status line would repeat the ":" of a command.
  return [vim(), showPanel.of(modePanel)];
}

/** Shows the mode and the keys of an incomplete command. Empty while a command is typed in the line below. */
function modePanel(view: EditorView): Panel {
  const dom = document.createElement("div");
  dom.className = "cm-vim-panel";
  const mode = document.createElement("span");
  mode.role = "status";
  const keys = document.createElement("span");
  dom.append(mode, keys);
  const cm = getCM(view);
  function show() {
    const state: { vim?: { mode?: string; insertMode?: boolean; status?: string } | null; dialog?: unknown } = cm?.state ?? {};
    const words = t.viMode(state.vim?.insertMode === true ? "insert" : (state.vim?.mode ?? "normal"));
    if (mode.textContent !== words) mode.textContent = words;
    keys.textContent = state.vim?.status ?? "";
    dom.hidden = state.dialog != null;
  }
  const events = ["vim-mode-change", "vim-command-done", "vim-keypress", "dialog"] as const;
  // The editor's own listeners run first, in the same task.
  const soon = () => queueMicrotask(show);
  for (const event of events) cm?.on(event, soon);
  show();
  return {
    dom,
    destroy: () => {
      for (const event of events) cm?.off(event, soon);
    },
  };
}
