import { dialogFilename, parseDialogFilename } from "../../dialog/name.ts";
import type { EventType } from "../../dialog/events/model.ts";
import type { LogEventType } from "../../protocol/index.ts";
import type { News } from "./new-events.ts";

/**
 * The entry of the store's index for one commit: the events that the commit added, in order.
 *
 *     20261121-201100-game/0 1.2r 2.0m 3q;20261121-201120-rules/0 hA;#12
 *
 * Each word is an event's place and a letter for its type. A number after it distinguishes several events of one type. `#12`: the commits of the
 * history up to number 12 that no earlier entry has. A leading `~`: the order was derived from the times in the texts. Unreadable parts are not ours
 * and are left out.
 */
export interface Entry {
  readonly news: readonly News[];
  readonly rebuilt: boolean;
}

const letters: Readonly<Record<EventType, string>> = {
  activation: "A",
  message: "m",
  request: "q",
  text: "t",
  tool_call: "c",
  approval: "a",
  tool_result: "r",
  file_change: "f",
  spawn: "s",
  waiting: "w",
  signal: "S",
  definition: "D",
  reply: "y",
  resolved: "v",
  pause: "p",
  resume: "P",
  authority: "g",
  window: "W",
  forked: "F",
  usage: "u",
  dialog_replaced: "R",
  abort: "x",
  error: "e",
  warning: "n",
  complete: "d",
};
const letterOf = new Map(Object.entries(letters));
const types = new Map(Object.entries(letters).map(([type, letter]) => [letter, type]));

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encodeEntry({ news, rebuilt }: Entry): Uint8Array {
  const parts = news.map((one) =>
    "commits" in one ? `#${one.commits}` : `${one.dialogId}/${one.generation} ${one.keys.map(shorten).join(" ")}`,
  );
  return encoder.encode((rebuilt ? "~" : "") + parts.join(";"));
}

export function decodeEntry(bytes: Uint8Array): Entry {
  const text = decoder.decode(bytes);
  const rebuilt = text.startsWith("~");
  const news = text
    .slice(rebuilt ? 1 : 0)
    .split(";")
    .flatMap((part): News[] => {
      const commits = COMMITS.exec(part)?.[1];
      if (commits !== undefined) return [{ commits: Number(commits) }];
      const [of = "", ...words] = part.split(" ");
      const [, dialogId = "", generation = ""] = /^([^/]+)\/(\d{1,15})$/.exec(of) ?? [];
      const keys = words.flatMap((word) => lengthen(word) ?? []);
      return isDialog(dialogId) && keys.length > 0 ? [{ dialogId, generation: Number(generation), keys }] : [];
    });
  return { news, rebuilt };
}

const COMMITS = /^#(\d{1,15})$/;

const isDialog = (id: string): boolean => parseDialogFilename(dialogFilename(id, "done")) !== null;

const KEY = /^(h|\d{1,9}(?:\.\d{1,9})?)\.([a-z_]+)(?:\.(\d{1,9}))?$/;
const WORD = /^(h|\d{1,9}(?:\.\d{1,9})?)([A-Za-z])(\d{0,9})$/;

function shorten(key: string): string {
  const [, place = "", type = "", nth = ""] = KEY.exec(key) ?? [];
  const letter = letterOf.get(type);
  if (letter === undefined) throw new RangeError(`${key} is no key of an event`);
  return place + letter + nth;
}

function lengthen(word: string): string | null {
  const [, place, letter = "", nth = ""] = WORD.exec(word) ?? [];
  const type = types.get(letter);
  return place === undefined || type === undefined ? null : `${place}.${type}${nth === "" ? "" : `.${nth}`}`;
}

/** All types. */
export const eventTypes: readonly LogEventType[] = [...Object.keys(letters).filter((name): name is EventType => name in letters), "commit"];

/** The type in a key. */
export function typeOfKey(key: string): string {
  return KEY.exec(key)?.[2] ?? "";
}
