export interface Deferred<T> {
  readonly promise: Promise<T>;
  /** Only the first call counts. */
  readonly resolve: (value: T) => void;
}

/** Creates a promise that is resolved from outside. */
export function deferred<T>(): Deferred<T> {
  const settle: { resolve?: (value: T) => void } = {};
  const promise = new Promise<T>((resolve) => {
    settle.resolve = resolve;
  });
  return { promise, resolve: (value) => settle.resolve?.(value) };
}
