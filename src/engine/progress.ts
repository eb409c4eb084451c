import type { EventBus } from "./events.ts";

/** How many steps of progress are reported at most. */
const steps = 200;

const idPattern = /^[A-Za-z0-9-]{1,64}$/;

export type Progress = (done: number, total: number) => void;

/** Reports the progress of a request that was sent with `?progress=<id>` to anyone who listens. Does nothing if the id is missing or invalid. */
export function progressOf(url: URL, bus: Pick<EventBus, "emit">): Progress {
  const id = url.searchParams.get("progress");
  if (id === null || !idPattern.test(id)) return () => undefined;
  let last = -1;
  return (done, total) => {
    const step = total === 0 ? steps : Math.floor((Math.min(done, total) / total) * steps);
    if (step === last) return;
    last = step;
    bus.emit({ type: "progress", data: { id, done, total } });
  };
}
