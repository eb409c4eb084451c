import { ranWith } from "../../dialog/call-json.ts";
import { authorizedAt, linesThatAllowed } from "../../dialog/authority.ts";
import type { Dialog } from "../../dialog/model.ts";
import { findCall } from "../../dialog/sections.ts";

/** The text of a command that a person approved individually, and so has read. Null if it ran without asking. */
export function approvedText(dialog: Dialog, callId: string): string | null {
  const place = findCall(dialog, callId);
  if (place === null || place.call.decision !== "approved") return null;
  const { name } = place.call;
  const input = ranWith(place.call);
  if (authorizedAt(dialog, place.section, place.part).has(name) || linesThatAllowed(dialog, callId).length > 0) return null;
  return typeof input["command"] === "string" ? input["command"] : null;
}
