import type { Extension } from "@codemirror/state";
import { Vim, vim } from "@replit/codemirror-vim";

/** vi's keys. `:w` saves. */
export function viKeys(save: () => void): Extension {
  Vim.defineEx("write", "w", () => save());
  return vim({ status: true });
}
