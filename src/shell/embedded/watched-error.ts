/**
 * just-bash tells errors apart by their class, and exports none of the classes. We must throw two of them ourselves. So this module, imported before
 * just-bash, replaces `Error` until their instances were seen once.
 */
const NativeError = globalThis.Error;
const seen: Error[] = [];

class WatchedError extends NativeError {
  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    seen.push(this);
  }
}

Object.assign(globalThis, { Error: WatchedError });

/** Returns the errors created since this module was loaded, and restores the native `Error`. */
export function takeErrors(): readonly Error[] {
  Object.assign(globalThis, { Error: NativeError });
  return seen.splice(0);
}
