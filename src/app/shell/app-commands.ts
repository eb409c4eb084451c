import type { Command } from "./commands.ts";

/** What the shell of the screens can do; what a command needs is asked when it runs. */
export interface ShellActions {
  readonly palette: () => void;
  readonly keys: () => void;
  readonly docs: () => void;
  readonly dialogs: () => void;
  readonly history: () => void;
  readonly nextWaiting: () => void;
  readonly start: () => void;
  readonly settings: () => void;
  readonly preview: () => void;
}

/** The commands that work from everywhere; the preview while the deed has something to show. Each has Ctrl or Cmd in its keys: single letters belong to those who write. */
export function shellCommands(actions: ShellActions, canPreview: boolean): Command[] {
  return [
    { label: "Find anything…", keys: "Mod+KeyK", run: actions.palette },
    { label: "Go to Docs", keys: "Mod+Alt+Digit1", run: actions.docs },
    { label: "Go to Dialogs", keys: "Mod+Alt+Digit2", run: actions.dialogs },
    { label: "Go to History", keys: "Mod+Alt+Digit3", run: actions.history },
    { label: "Next dialog that waits for you", keys: "Mod+Period", run: actions.nextWaiting },
    { label: "Start", run: actions.start },
    { label: "Preview", keys: "Mod+Backslash", hidden: !canPreview, run: actions.preview },
    { label: "Settings", keys: "Mod+Comma", run: actions.settings },
    { label: "Keys", keys: "Mod+Slash", run: actions.keys },
  ];
}
