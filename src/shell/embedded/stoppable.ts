/** Returns the result of `ask`, or that of `otherwise` if the signal aborts first. */
export async function stoppable<T>(ask: () => Promise<T>, signal: AbortSignal, otherwise: () => T): Promise<T> {
  if (signal.aborted) return otherwise();
  let stopped = (): void => undefined;
  const stop = new Promise<"stop">((resolve) => {
    stopped = () => resolve("stop");
    signal.addEventListener("abort", stopped);
  });
  try {
    const first = await Promise.race([ask().then((value) => ({ value })), stop]);
    return first === "stop" ? otherwise() : first.value;
  } finally {
    signal.removeEventListener("abort", stopped);
  }
}
