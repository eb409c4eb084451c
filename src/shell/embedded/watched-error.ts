/**
 * just-bash tells by an error's class what an error means, and exports none of the classes. Two of them we have to throw from
 * inside, so this module, imported before just-bash, stands in for `Error` until their instances were seen once.
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

/** What was made since this module was loaded; from here on errors are native again. */
export function takeErrors(): readonly Error[] {
  Object.assign(globalThis, { Error: NativeError });
  return seen.splice(0);
}
