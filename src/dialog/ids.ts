const TOOL = /^[A-Za-z0-9_-]{1,64}$/;
const CALL = /^[A-Za-z0-9_-]{1,128}$/;

export function isToolName(text: string): boolean {
  return TOOL.test(text);
}

export function isCallId(text: string): boolean {
  return CALL.test(text);
}

/** A host as in a `> Network:` line: lower case, with its port unless that is the default one. The only IPv6 host is `[::1]`, this device. */
const HOST = /^(?:[a-z0-9.-]+|\[::1\])(?::[0-9]{1,5})?$/;
const LONGEST_HOST = 253;

export function isHost(text: string): boolean {
  return text.length <= LONGEST_HOST && HOST.test(text);
}

/**
 * The user's decision about a host, in the words of the file. Each is the whole ending of a line: `> Network: <host> <word>`.
 * `no more` and `no uploads`: the user was asked for more and refused. The host keeps what it has, and the user is not asked again.
 */
export const hostGrants = ["GET only", "GET only, no more", "any method", "any method, no uploads", "any method and uploads"] as const;
export type HostGrant = (typeof hostGrants)[number];
/** `refused` comes from a `> Network refused: <host>` line. */
export type HostWord = "refused" | HostGrant;

/** Parses the value of a `> Network:` line. Null if it is invalid. Vibey up to 0.8.0 wrote the host alone. */
export function readHostLine(value: string): { readonly host: string; readonly word: HostGrant; readonly bare: boolean } | null {
  if (isHost(value)) return { host: value, word: "any method", bare: true };
  const space = value.indexOf(" ");
  const host = value.slice(0, Math.max(0, space));
  const word = hostGrants.find((one) => one === value.slice(space + 1));
  return word !== undefined && isHost(host) ? { host, word, bare: false } : null;
}

/** The longest time in seconds that any command may run. */
export const MOST_COMMAND_SECONDS = 3600;

/** Parses the value of a `> Limit: command <seconds>` line. Null if it is not one. Larger values become the maximum. */
export function readCommandLimit(value: string): number | null {
  const seconds = Number(/^command ([0-9]{1,15})$/.exec(value)?.[1] ?? 0);
  return seconds === 0 ? null : Math.min(seconds, MOST_COMMAND_SECONDS);
}

/** A tool's name for use in a block. An invalid name becomes `unknown`, which is the name of no tool. */
export function toolName(text: string): string {
  return isToolName(text) ? text : "unknown";
}

/**
 * A call's id for use in a block. An id that is invalid or already in the file becomes `call_<number>`, where `number` is the call's position in the
 * file, from 1. So the same file always gives the same ids.
 */
export function callId(text: string, number: number, taken: (id: string) => boolean): string {
  if (isCallId(text) && !taken(text)) return text;
  const fresh = `call_${number}`;
  if (!taken(fresh)) return fresh;
  for (let nth = 2; ; nth++) if (!taken(`${fresh}_${nth}`)) return `${fresh}_${nth}`;
}
