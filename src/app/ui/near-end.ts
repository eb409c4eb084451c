/** The end of a list counts as nearly in view from this many pixels before it. */
const beforeEnd = 600;

/** Whether a scrolling box shows its end, or nearly. */
export function nearEnd({ scrollHeight, clientHeight, scrollTop }: Pick<Element, "scrollHeight" | "clientHeight" | "scrollTop">): boolean {
  return scrollHeight - clientHeight - scrollTop < beforeEnd;
}
