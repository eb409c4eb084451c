/** Up and Down move the focus between the links of a list. */
export function moveFocus(event: KeyboardEvent & { currentTarget: HTMLAnchorElement }, around: Element | null) {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  const links = Array.from(around?.querySelectorAll("a") ?? []);
  const next = links[links.indexOf(event.currentTarget) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
