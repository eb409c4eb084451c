/** Milliseconds that the shell may continue before it looks at what has come for it: an abort, the output of a program. */
const longest = 15;

let last = performance.now();

/** Called wherever a command may continue for long without waiting for anything. */
export async function breathe(): Promise<void> {
  if (performance.now() - last < longest) return;
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
  last = performance.now();
}
