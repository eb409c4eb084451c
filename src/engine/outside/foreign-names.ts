import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Call, Dialog } from "../../dialog/model.ts";
import { findCall } from "../../dialog/sections.ts";

/* Names in records for the tools and calls of outside agents, which may name them in any way. */

const shortHash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text))).slice(0, 8);
const plain = (text: string, most: number): string => text.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, most);

/** A tool's name as a valid name for a block. Invalid characters become `_`. A hash keeps names in other scripts distinct. */
export function asName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- all of ASCII is meant
  if (/^[\x00-\x7f]*$/.test(name)) return plain(name, 64) || "unknown";
  return `${plain(name, 50)}-${shortHash(name)}`;
}

/** The agent's name for the tool, if the block can't have it. Otherwise null. */
export const lostName = (name: string): string | null => (asName(name) === name ? null : name);

const ID = /^[A-Za-z0-9_-]{1,100}$/;
const LATER_USE = /-use\d+$/;

/** The id in the record for the first call with this foreign id. Different foreign ids get different ids. */
function asId(id: string): string {
  return ID.test(id) && !LATER_USE.test(id) ? id : `${plain(id, 80)}-${shortHash(id)}`;
}

/** The id of use `nth` of a foreign id, counted from 1. */
const useId = (id: string, nth: number): string => (nth === 1 ? asId(id) : `${asId(id)}-use${nth}`);

/** How many calls in the record have this foreign id. Some agents use the same id for several calls. */
function countUses(dialog: Dialog, id: string): number {
  const has = (nth: number): boolean => findCall(dialog, useId(id, nth)) !== null;
  // A binary search between the last use that exists and the first that doesn't.
  let [there, missing] = [0, 1];
  while (has(missing)) [there, missing] = [missing, 2 * missing];
  while (missing - there > 1) {
    const middle = Math.floor((there + missing) / 2);
    if (has(middle)) there = middle;
    else missing = middle;
  }
  return there;
}

/** The id in the record for the next call with this foreign id. */
export const nextUse = (dialog: Dialog, id: string): string => useId(id, countUses(dialog, id) + 1);

/** The most calls with the same id that are looked at. */
const most = 20;

/** The last calls with this foreign id, newest first. */
export function usesOf(dialog: Dialog, id: string): Call[] {
  const count = countUses(dialog, id);
  const ids = Array.from({ length: Math.min(most, count) }, (_, back) => useId(id, count - back));
  return ids.flatMap((one) => findCall(dialog, one)?.call ?? []);
}

/** The last call with this foreign id. Null: there is none. */
export const lastUse = (dialog: Dialog, id: string): Call | null => usesOf(dialog, id)[0] ?? null;
