/** How much of what shows is scrolled on at a time: the last lines stay in sight. */
const page = 0.85;

/** Brings a call into sight; where it is there already, scrolls on by a page, up to its end. */
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

/** The nearest thing around it that scrolls. */
function scrollerOf(element: Element): Element | null {
  for (let box = element.parentElement; box !== null; box = box.parentElement) {
    const { overflowY } = getComputedStyle(box);
    if ((overflowY === "auto" || overflowY === "scroll") && box.scrollHeight > box.clientHeight + 1) return box;
  }
  return null;
}
