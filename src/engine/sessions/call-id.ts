import type { Call } from "../../dialog/model.ts";
import { callHash } from "../projections/view.ts";

/** How many hexadecimal digits of a call's hash are in its id for programs outside. */
const digits = 32;

/** The id of a call for programs outside. It includes a hash of the call's content, so that an approval is for what was shown. */
export function outsideId(call: Call): string {
  return `${call.id}.${callHash(call).slice(0, digits)}`;
}

export interface NamedCall {
  readonly call: string;
  /** The first digits of the hash of what was shown. Null: the id contains no hash. */
  readonly hash: string | null;
}

export function readOutsideId(given: string): NamedCall {
  const [, call, hash] = /^(.+)\.([0-9a-f]{32})$/s.exec(given) ?? [];
  return call === undefined || hash === undefined ? { call: given, hash: null } : { call, hash };
}

const NETWORK = "net_";

/** The id of a command's question about a host. */
export function networkId(callId: string, question: string): string {
  return `${NETWORK}${callId}.${question}`;
}
