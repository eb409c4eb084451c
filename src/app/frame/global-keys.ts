import { onCleanup } from "solid-js";
import { type Command, matches, onMac } from "../ui/commands.ts";
import { keep, kept, unkeep } from "../ui/keep.ts";

/** Whether the question mark alone shows the keys; off for those whose voice or hands type it by accident. Kept on this device. */
const helpKey = "vibey single keys";
export const singleKeys = {
  on: () => kept(helpKey) !== "off",
  set: (on: boolean) => (on ? unkeep(helpKey) : void keep(helpKey, "off")),
};

/** Runs commands by their keys for as long as the owner lives, wherever the focus is; never behind an open dialog box. */
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

/** A key pressed here is a letter of someone's text. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
