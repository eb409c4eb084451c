/** Calls a function after a moment. Repeated requests before that call it only once. */
export type Throttle = (then: () => void) => void;

/** Milliseconds: about one frame. */
const momentMs = 16;

/** Uses messages while the page is hidden: a browser then delays its timers, sometimes by a minute, but not its messages. */
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
