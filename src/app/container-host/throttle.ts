/** Calls a function in a moment; asked again before that, once. */
export type Throttle = (then: () => void) => void;

/** Milliseconds: about a frame. */
const momentMs = 16;

/** A browser holds back the timers of a page that is out of sight, for a minute at times, but no messages. */
export function createThrottle(hidden = () => document.visibilityState === "hidden"): Throttle {
  const { port1, port2 } = new MessageChannel();
  let waiting: (() => void) | null = null;
  let timed = false;
  let posted = false;
  function call() {
    const then = waiting;
    waiting = null;
    then?.();
  }
  port1.addEventListener("message", () => {
    posted = false;
    call();
  });
  port1.start();
  return (then) => {
    waiting = then;
    if (posted) return;
    if (hidden()) {
      posted = true;
      port2.postMessage(null);
    } else if (!timed) {
      timed = true;
      setTimeout(() => {
        timed = false;
        call();
      }, momentMs);
    }
  };
}
