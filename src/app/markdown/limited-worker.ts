interface Waiting<Order, Answer> {
  readonly order: Order;
  readonly take: (answer: Answer | null) => void;
}

/** `take` gets every answer to the order, or null at the end where it was given up. */
type Ask<Order, Answer> = (make: (id: number) => Order, take: (answer: Answer | null) => void) => void;

/**
 * A worker that does one order after another, each within so many milliseconds. One that takes longer is given up with the worker, and the
 * next one gets another worker. `isLast`: whether an answer ends its order.
 */
export function limitedWorker<Order extends { readonly id: number }, Answer extends { readonly id: number }>(
  start: () => Worker,
  patience: number,
  isLast: (answer: Answer) => boolean,
): Ask<Order, Answer> {
  let worker: Worker | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  /** In their order; the first is the one that is being done. */
  const waiting = new Map<number, Waiting<Order, Answer>>();

  function next() {
    const first = waiting.values().next().value;
    if (first === undefined) return;
    worker ??= begin();
    timer = setTimeout(giveUp, patience);
    worker.postMessage(first.order);
  }
  function begin(): Worker {
    const begun = start();
    begun.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
      const asked = waiting.get(data.id);
      if (isLast(data)) end(data.id);
      asked?.take(data);
    });
    // A worker that can't be had, such as offline, is no error of the page.
    begun.addEventListener("error", (event) => {
      event.preventDefault();
      giveUp();
    });
    return begun;
  }
  function giveUp() {
    worker?.terminate();
    worker = null;
    const first = waiting.entries().next().value;
    if (first === undefined) return;
    const [id, { take }] = first;
    end(id);
    take(null);
  }
  function end(id: number) {
    clearTimeout(timer);
    waiting.delete(id);
    next();
  }

  return (make, take) => {
    last += 1;
    waiting.set(last, { order: make(last), take });
    if (waiting.size === 1) next();
  };
}
