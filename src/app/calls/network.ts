import type { DialogView, NetworkAsk, PutDialogBody } from "../../engine/api.ts";

/** The body that says whether the commands of a dialog may reach a host from here on. */
export const networkBody = (dialogId: string, host: string, allow: boolean): PutDialogBody => ({ dialogId, network: [{ host, allow }] });

/** What tells one ask from the next. */
export const askKey = (callId: string, { host, program, method, url }: NetworkAsk) => JSON.stringify([callId, host, program, method, url]);

/** Hosts that a line names; of more it says how many. */
const named = 2;

/** "Commands may reach a and b, not c." Null when nothing was allowed or refused. */
export function hostWords({ allowed, refused }: DialogView["network"]): string | null {
  if (allowed.length === 0) return refused.length === 0 ? null : `Commands may not reach ${list(refused)}.`;
  return `Commands may reach ${list(allowed)}${refused.length === 0 ? "" : `, not ${list(refused)}`}.`;
}

function list(hosts: readonly string[]): string {
  const left = hosts.length - named;
  return left > 0 ? `${hosts.slice(0, named).join(", ")} and ${left} more` : hosts.join(" and ");
}
