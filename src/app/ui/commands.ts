/** Commands are rows: buttons, menus and keys are made from them, so a thing is named once and works the same from everywhere. */
export interface Command {
  readonly label: string;
  /** "Mod" is Cmd on a Mac and Ctrl elsewhere. The last part is the `code` of a key, such as "KeyS". */
  readonly keys?: string;
  /** Left out where it can't be done now. */
  readonly hidden?: boolean;
  /** Its button stands there and can't be pressed now. */
  readonly disabled?: boolean;
  /** Of what can be on or off: which it is. */
  readonly on?: boolean;
  /** Where it leads, when that is all it does. */
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
    // Windows says Ctrl and Alt for AltGr, with which people type letters.
    !event.getModifierState?.("AltGraph") &&
    event.altKey === wants("Alt") &&
    event.shiftKey === wants("Shift") &&
    event.metaKey === (mac && wants("Mod")) &&
    event.ctrlKey === (!mac && wants("Mod"))
  );
}

const signs: Readonly<Record<string, string>> = { Period: ".", Comma: ",", Slash: "/", Backslash: "\\", ArrowUp: "↑" };

/** The keys as a person reads them: "⌘S", "Ctrl+S". */
export function shownKeys(keys: string, mac: boolean): string {
  const names: Readonly<Record<string, string>> = mac ? { Mod: "⌘", Alt: "⌥", Shift: "⇧", Enter: "↵" } : { Mod: "Ctrl", Enter: "Enter" };
  return keys
    .split("+")
    .map((part) => names[part] ?? signs[part] ?? part.replace(/^Key|^Digit/, ""))
    .join(mac ? "" : "+");
}

export const onMac = () => /Mac|iPhone|iPad/.test(navigator.platform);
