/** They give bytes without an end. */
export const endlessDevices: readonly string[] = ["/dev/zero", "/dev/urandom", "/dev/random"];

/** Bytes that such a device gives to a command that does not say how many: a pipe is no stream here, so what has no end in bash has one. */
export const endless = 1_000_000;

/** The platform fills so many bytes at once. */
const filledAtOnce = 65_536;

/** That many bytes of a device that has no end; null: it is none. */
export function readDevice(path: string, length = endless): Uint8Array | null {
  if (!endlessDevices.includes(path)) return null;
  const bytes = new Uint8Array(length);
  if (path !== "/dev/zero") for (let at = 0; at < length; at += filledAtOnce) crypto.getRandomValues(bytes.subarray(at, at + filledAtOnce));
  return bytes;
}

/** What is written there is gone. */
export function isDevice(path: string): boolean {
  return path === "/dev/null" || path === "/dev/full" || endlessDevices.includes(path);
}
