import { ranWith } from "../../dialog/call-json.ts";
import { authorizedAt, linesThatAllowed } from "../../dialog/authority.ts";
import type { Dialog } from "../../dialog/model.ts";
import { findCall } from "../../dialog/sections.ts";

/** The text of a command that a person approved by itself, and so has read; null for one that ran without being asked about. */
export function approvedText(dialog: Dialog, callId: string): string | null {
  const place = findCall(dialog, callId);
  if (place === null || place.call.decision !== "approved") return null;
  const { name } = place.call;
  const input = ranWith(place.call);
  if (authorizedAt(dialog, place.section, place.part).has(name) || linesThatAllowed(dialog, callId).length > 0) return null;
  return typeof input["command"] === "string" ? input["command"] : null;
}
