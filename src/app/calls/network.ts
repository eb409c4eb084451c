import type { DialogView, NetworkAsk, PutDialogBody } from "../../engine/api.ts";
import * as t from "../texts/hosts.ts";
import { visible } from "./visible.ts";

/** The body that says whether the commands of a dialog may reach a host from here on. */
export const networkBody = (dialogId: string, host: string, allow: boolean): PutDialogBody => ({ dialogId, network: [{ host, allow }] });

/** What tells one ask from the next. */
export const askKey = (callId: string, { host, program, method, url }: NetworkAsk) => JSON.stringify([callId, host, program, method, url]);

/** Hosts that a line names; of more it says how many. */
const named = 2;

/** "Commands may reach a and b, not c." Null when nothing was allowed or refused. */
export function hostWords({ allowed, refused }: DialogView["network"]): string | null {
  if (allowed.length === 0) return refused.length === 0 ? null : t.mayNotReach(list(refused));
  return refused.length === 0 ? t.mayReach(list(allowed)) : t.mayReachNot(list(allowed), list(refused));
}

const list = (hosts: readonly string[]): t.HostList => ({
  named: hosts.slice(0, named).map(visible),
  more: Math.max(0, hosts.length - named),
});
