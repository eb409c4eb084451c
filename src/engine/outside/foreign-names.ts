import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Call, Dialog } from "../../dialog/model.ts";
import { findCall } from "../../dialog/sections.ts";

/* How a record calls what agents outside name as they like. */

const shortHash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text))).slice(0, 8);
const plain = (text: string, most: number): string => text.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, most);

/** A tool's name as one that a block can have: what it may not hold becomes `_`. Names in other scripts stay different from each other. */
export function asName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- all of ASCII is meant
  if (/^[\x00-\x7f]*$/.test(name)) return plain(name, 64) || "unknown";
  return `${plain(name, 50)}-${shortHash(name)}`;
}

/** What the agent calls the tool, where the block can't. */
export const lostName = (name: string): string | null => (asName(name) === name ? null : name);

const ID = /^[A-Za-z0-9_-]{1,100}$/;
const LATER_USE = /-use\d+$/;

/** The id that a call has in the record which is the first one of this id. Two ids are never the same there. */
function asId(id: string): string {
  return ID.test(id) && !LATER_USE.test(id) ? id : `${plain(id, 80)}-${shortHash(id)}`;
}

/** The id of use `nth` of a foreign id, counted from 1. */
const useId = (id: string, nth: number): string => (nth === 1 ? asId(id) : `${asId(id)}-use${nth}`);

/** How many calls of the record have this foreign id: some agents use one again for each call. */
function countUses(dialog: Dialog, id: string): number {
  const has = (nth: number): boolean => findCall(dialog, useId(id, nth)) !== null;
  // Between the last that is there and the first that isn't.
  let [there, missing] = [0, 1];
  while (has(missing)) [there, missing] = [missing, 2 * missing];
  while (missing - there > 1) {
    const middle = Math.floor((there + missing) / 2);
    if (has(middle)) there = middle;
    else missing = middle;
  }
  return there;
}

/** The id in the record of the next call of this foreign id. */
export const nextUse = (dialog: Dialog, id: string): string => useId(id, countUses(dialog, id) + 1);

/** Calls of one id that are looked at. */
const most = 20;

/** The last calls of this foreign id, the newest first. */
export function usesOf(dialog: Dialog, id: string): Call[] {
  const count = countUses(dialog, id);
  const ids = Array.from({ length: Math.min(most, count) }, (_, back) => useId(id, count - back));
  return ids.flatMap((one) => findCall(dialog, one)?.call ?? []);
}

/** The last call of this foreign id; null: there is none. */
export const lastUse = (dialog: Dialog, id: string): Call | null => usesOf(dialog, id)[0] ?? null;
