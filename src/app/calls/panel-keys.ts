/** Whether a key pressed there is text. */
const takesText = (target: Element) =>
  target.matches("textarea, select, input:not([type=radio], [type=checkbox]), [contenteditable]:not([contenteditable=false])");

/** Whether Enter there does what stands there. */
const isPressed = (target: Element) => target.matches("button, a[href], summary");

/** What a key means that is pressed anywhere in a panel; null where it means something else: in a text field, or on a button that Enter presses. */
export function keyOf(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "isComposing" | "repeat" | "target">,
): string | null {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return null;
  const key = event.key.toUpperCase();
  if (event.target instanceof Element && (takesText(event.target) || (key === "ENTER" && isPressed(event.target)))) return null;
  return key;
}

/** The person works with keys in there: when it goes, the focus has to be led on. Where they point with a finger, that would move the screen. */
export function hasKeyFocus(panel: Element | undefined): boolean {
  const active = document.activeElement;
  return active !== null && panel?.contains(active) === true && active.matches(":focus-visible");
}

/** No one types just now: a panel that comes takes the focus. */
export function isFocusFree(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || (active instanceof HTMLTextAreaElement && (active.disabled || active.readOnly));
}
