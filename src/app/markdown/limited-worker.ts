interface Waiting<Job, Answer> {
  readonly order: Job;
  readonly take: (answer: Answer | null) => void;
}

/** `take` gets every answer to the job, and null at the end if the job was given up. */
type Ask<Job, Answer> = (make: (id: number) => Job, take: (answer: Answer | null) => void) => void;

/**
 * A worker that runs one job at a time, for at most `patience` milliseconds each. If a job takes longer, the worker is stopped, and the next
 * job gets a new worker. `isLast`: whether an answer completes its job.
 */
export function limitedWorker<Job extends { readonly id: number }, Answer extends { readonly id: number }>(
  start: () => Worker,
  patience: number,
  isLast: (answer: Answer) => boolean,
): Ask<Job, Answer> {
  let worker: Worker | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  /** In order. The first is the one being processed. */
  const waiting = new Map<number, Waiting<Job, Answer>>();

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
