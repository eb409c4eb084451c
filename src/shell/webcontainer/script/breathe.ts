/** Milliseconds that the shell may run before it yields to incoming events: an abort, a program's output. */
const longest = 15;

let last = performance.now();

/** Call this wherever a command may run for long without waiting for anything. */
export async function breathe(): Promise<void> {
  if (performance.now() - last < longest) return;
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
  last = performance.now();
}
