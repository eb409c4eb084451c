/** The fraction of the visible height to scroll at a time. The last lines stay in view. */
const page = 0.85;

/** Scrolls a call into view. If it is there already, scrolls one page further, up to its end. */
export function showNext(call: Element): void {
  const end = call.querySelector(".ask-end");
  const box = end && scrollerOf(end);
  if (!box) return;
  const [shown, begin, last] = [box.getBoundingClientRect(), call.getBoundingClientRect(), end.getBoundingClientRect()];
  const toBegin = begin.top - shown.top;
  const toEnd = last.bottom - shown.bottom;
  if (call !== box && !call.contains(box) && (toBegin < -1 ? toEnd < 0 : toBegin > shown.height * (1 - page)))
    box.scrollBy({ top: toBegin });
  else box.scrollBy({ top: Math.min(Math.max(toEnd, 1) + 1, shown.height * page) });
}

/** The nearest ancestor that scrolls. */
function scrollerOf(element: Element): Element | null {
  for (let box = element.parentElement; box !== null; box = box.parentElement) {
    const { overflowY } = getComputedStyle(box);
    if ((overflowY === "auto" || overflowY === "scroll") && box.scrollHeight > box.clientHeight + 1) return box;
  }
  return null;
}
