interface Waiting<Order, Answer> {
  readonly order: Order;
  readonly take: (answer: Answer | null) => void;
}

/** `take` gets every answer to the order, and null at the end if the order was given up. */
type Ask<Order, Answer> = (make: (id: number) => Order, take: (answer: Answer | null) => void) => void;

/**
 * A worker that processes one order after another, each with a time limit of `patience` milliseconds. If an order takes longer, the worker is
 * stopped, and the next order gets a new worker. `isLast`: whether an answer completes its order.
 */
export function limitedWorker<Order extends { readonly id: number }, Answer extends { readonly id: number }>(
  start: () => Worker,
  patience: number,
  isLast: (answer: Answer) => boolean,
): Ask<Order, Answer> {
  let worker: Worker | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  /** In order. The first is the one being processed. */
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
    // If the worker can't be loaded, for example offline, that is no error of the page.
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
