import { onCleanup } from "solid-js";
import { type Command, matches, onMac } from "../ui/commands.ts";
import { keep, kept, unkeep } from "../ui/keep.ts";

/**
 * Whether the question mark alone shows the keyboard shortcuts. People whose voice input or hands type it by accident turn it off. Saved on this
 * device.
 */
const helpKey = "vibey single keys";
export const singleKeys = {
  on: () => kept(helpKey) !== "off",
  set: (on: boolean) => (on ? unkeep(helpKey) : void keep(helpKey, "off")),
};

/** Runs commands by their keys, wherever the focus is, until the owner is disposed. Never while a dialog box is open. */
export function listenForKeys(commands: () => readonly Command[], help: () => void): void {
  const mac = onMac();
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return;
    if (document.querySelector("dialog:modal") !== null) return;
    if (event.key === "?" && !isTyping(event.target) && singleKeys.on()) {
      event.preventDefault();
      return help();
    }
    const command = commands().find(({ keys, hidden }) => keys !== undefined && hidden !== true && matches(keys, event, mac));
    if (!command) return;
    event.preventDefault();
    command.run();
  };
  addEventListener("keydown", onKey);
  onCleanup(() => removeEventListener("keydown", onKey));
}

/** Whether a key pressed here types text. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
