/** Commands are data: buttons, menus and keys are built from them, so that each action has one name and works the same everywhere. */
export interface Command {
  readonly label: string;
  /** "Mod" is Cmd on a Mac and Ctrl elsewhere. The last part is the `code` of a key, such as "KeyS". */
  readonly keys?: string;
  /** Whether it is left out, because it can't be done now. */
  readonly hidden?: boolean;
  /** Whether its button is shown but can't be pressed now. */
  readonly disabled?: boolean;
  /** For a toggle: whether it is on. */
  readonly on?: boolean;
  /** Where it leads, if that is all it does. */
  readonly href?: string | null;
  readonly run: () => void;
}

export type KeyPress = Pick<KeyboardEvent, "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey"> &
  Partial<Pick<KeyboardEvent, "getModifierState">>;

export function matches(keys: string, event: KeyPress, mac: boolean): boolean {
  const parts = keys.split("+");
  const wants = (part: string) => parts.includes(part);
  return (
    event.code === parts.at(-1) &&
    // Windows reports Ctrl and Alt for AltGr, which people use to type letters.
    !event.getModifierState?.("AltGraph") &&
    event.altKey === wants("Alt") &&
    event.shiftKey === wants("Shift") &&
    event.metaKey === (mac && wants("Mod")) &&
    event.ctrlKey === (!mac && wants("Mod"))
  );
}

const signs: Readonly<Record<string, string>> = { Period: ".", Comma: ",", Slash: "/", Backslash: "\\", ArrowUp: "↑" };

/** The keys as people read them: "⌘S", "Ctrl+S". */
export function shownKeys(keys: string, mac: boolean): string {
  const names: Readonly<Record<string, string>> = mac ? { Mod: "⌘", Alt: "⌥", Shift: "⇧", Enter: "↵" } : { Mod: "Ctrl", Enter: "Enter" };
  return keys
    .split("+")
    .map((part) => names[part] ?? signs[part] ?? part.replace(/^Key|^Digit/, ""))
    .join(mac ? "" : "+");
}

export const onMac = () => /Mac|iPhone|iPad/.test(navigator.platform);
