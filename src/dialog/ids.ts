const TOOL = /^[A-Za-z0-9_-]{1,64}$/;
const CALL = /^[A-Za-z0-9_-]{1,128}$/;

export function isToolName(text: string): boolean {
  return TOOL.test(text);
}

export function isCallId(text: string): boolean {
  return CALL.test(text);
}

/** A host as a `> Network:` line names it: lower case, with a port when it is not the usual one. Of IPv6 only this device. */
const HOST = /^(?:[a-z0-9.-]+|\[::1\])(?::[0-9]{1,5})?$/;
const LONGEST_HOST = 253;

export function isHost(text: string): boolean {
  return text.length <= LONGEST_HOST && HOST.test(text);
}

/**
 * What the user said of a host, in the words of the file. Each is a line's whole ending: `> Network: <host> <word>`.
 * `no more` and `no uploads`: the user was asked for more and refused; the host stays as it is and is not asked for again.
 */
export const hostGrants = ["GET only", "GET only, no more", "any method", "any method, no uploads", "any method and uploads"] as const;
export type HostGrant = (typeof hostGrants)[number];
/** `refused`: a `> Network refused: <host>` line. */
export type HostWord = "refused" | HostGrant;

/** What a `> Network:` line says, from its value; null when it says nothing. A host alone is what Vibey wrote up to 0.8.0. */
export function readHostLine(value: string): { readonly host: string; readonly word: HostGrant; readonly bare: boolean } | null {
  if (isHost(value)) return { host: value, word: "any method", bare: true };
  const space = value.indexOf(" ");
  const host = value.slice(0, Math.max(0, space));
  const word = hostGrants.find((one) => one === value.slice(space + 1));
  return word !== undefined && isHost(host) ? { host, word, bare: false } : null;
}

/** The longest time in seconds that any command may run. */
export const MOST_COMMAND_SECONDS = 3600;

/** What a `> Limit: command <seconds>` line says, from its value; null when it says nothing. More than the most is the most. */
export function readCommandLimit(value: string): number | null {
  const seconds = Number(/^command ([0-9]{1,15})$/.exec(value)?.[1] ?? 0);
  return seconds === 0 ? null : Math.min(seconds, MOST_COMMAND_SECONDS);
}

/** The name of a tool as it may stand in a block; what is no name becomes `unknown`, which no tool is called. */
export function toolName(text: string): string {
  return isToolName(text) ? text : "unknown";
}

/**
 * The id of a call as it may stand in a block. One that is not valid, or is in the file already, becomes `call_<number>`, `number` being
 * the call's own in the file (the first is 1); so the same file always gives the same ids.
 */
export function callId(text: string, number: number, taken: (id: string) => boolean): string {
  if (isCallId(text) && !taken(text)) return text;
  const fresh = `call_${number}`;
  if (!taken(fresh)) return fresh;
  for (let nth = 2; ; nth++) if (!taken(`${fresh}_${nth}`)) return `${fresh}_${nth}`;
}
