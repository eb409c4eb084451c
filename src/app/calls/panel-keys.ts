/** Whether a key pressed in this element types text. */
const takesText = (target: Element) =>
  target.matches("textarea, select, input:not([type=radio], [type=checkbox]), [contenteditable]:not([contenteditable=false])");

/** Whether Enter activates this element. */
const isPressed = (target: Element) => target.matches("button, a[href], summary");

/** The meaning of a key pressed anywhere in a panel. Null if the key belongs to the target: in a text field, or Enter on a button. */
export function keyOf(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "isComposing" | "repeat" | "target">,
): string | null {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return null;
  const key = event.key.toUpperCase();
  if (event.target instanceof Element && (takesText(event.target) || (key === "ENTER" && isPressed(event.target)))) return null;
  return key;
}

/**
 * Whether the keyboard focus is in this panel. If so, the focus has to move elsewhere when the panel disappears. For touch users, that would scroll
 * the page.
 */
export function hasKeyFocus(panel: Element | undefined): boolean {
  const active = document.activeElement;
  return active !== null && panel?.contains(active) === true && active.matches(":focus-visible");
}

/** Whether a new panel may take the focus: nothing has it, the list of messages, or a field that takes no text now. */
export function isFocusFree(): boolean {
  const active = document.activeElement;
  if (active === null || active === document.body || active.matches(".message-list")) return true;
  return active instanceof HTMLTextAreaElement && (active.disabled || active.readOnly);
}
