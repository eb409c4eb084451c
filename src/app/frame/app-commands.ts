import type { Command } from "../ui/commands.ts";
import * as t from "../texts/frame.ts";

/** What the app can do. Details that a command needs are asked for when it runs. */
export interface AppActions {
  readonly palette: () => void;
  readonly keys: () => void;
  readonly docs: () => void;
  readonly dialogs: () => void;
  readonly history: () => void;
  readonly log: () => void;
  readonly nextWaiting: () => void;
  readonly start: () => void;
  readonly settings: () => void;
  readonly preview: () => void;
}

/**
 * The commands that work everywhere; the preview only if the deed has something to show. All keys include Ctrl or Cmd: single letters are for typing.
 */
export function appCommands(actions: AppActions, canPreview: boolean): Command[] {
  return [
    { label: t.findAnything, keys: "Mod+KeyK", run: actions.palette },
    { label: t.goToDocs, keys: "Mod+Alt+Digit1", run: actions.docs },
    { label: t.goToDialogs, keys: "Mod+Alt+Digit2", run: actions.dialogs },
    { label: t.goToHistory, keys: "Mod+Alt+Digit3", run: actions.history },
    { label: t.goToEvents, run: actions.log },
    { label: t.nextWaiting, keys: "Mod+Period", run: actions.nextWaiting },
    { label: t.start, run: actions.start },
    { label: t.preview, keys: "Mod+Backslash", hidden: !canPreview, run: actions.preview },
    { label: t.settings, keys: "Mod+Comma", run: actions.settings },
    { label: t.keys, keys: "Mod+Slash", run: actions.keys },
  ];
}
