import type { EventBus } from "./events.ts";

/** The parts of the whole of which is told. */
const steps = 200;

const idPattern = /^[A-Za-z0-9-]{1,64}$/;

export type Progress = (done: number, total: number) => void;

/** Tells anyone who listens how far the work is that was asked for with `?progress=<id>`; does nothing when no id was given, or none that can be one. */
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
