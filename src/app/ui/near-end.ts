/** Pixels before the end of a list at which it is nearly in sight. */
const beforeEnd = 600;

/** Whether a box that scrolls shows its end, or nearly. */
export function nearEnd({ scrollHeight, clientHeight, scrollTop }: Pick<Element, "scrollHeight" | "clientHeight" | "scrollTop">): boolean {
  return scrollHeight - clientHeight - scrollTop < beforeEnd;
}
