/** Devices that give bytes without an end. */
export const endlessDevices: readonly string[] = ["/dev/zero", "/dev/urandom", "/dev/random"];

/**
 * The bytes that such a device gives to a command that does not say how many. A pipe is not a stream here, so output without an end in bash ends
 * here.
 */
export const endless = 1_000_000;

/** The maximum number of bytes that the platform fills at once. */
const filledAtOnce = 65_536;

/** Reads `length` bytes from an endless device; null: it is not one. */
export function readDevice(path: string, length = endless): Uint8Array | null {
  if (!endlessDevices.includes(path)) return null;
  const bytes = new Uint8Array(length);
  if (path !== "/dev/zero") for (let at = 0; at < length; at += filledAtOnce) crypto.getRandomValues(bytes.subarray(at, at + filledAtOnce));
  return bytes;
}

/** Whether the path is a device that discards what is written to it. */
export function isDevice(path: string): boolean {
  return path === "/dev/null" || path === "/dev/full" || endlessDevices.includes(path);
}
