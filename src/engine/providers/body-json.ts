import { firstDifference } from "../prompt/continue-note.ts";

/** The most characters of JSON in each cache, of objects and of lists, which share most of them. A cache that gets larger is emptied. */
const most = 32_000_000;

let kept = new WeakMap<object, string>();
let size = 0;

/**
 * `JSON.stringify` for a request's body. Most of a body was already in the body of the turn before. Its JSON is cached, so that a turn only
 * costs what is new: for frozen objects, and for the common first items of a list such as the messages. Such items are never changed, only
 * replaced.
 *
 * The result is a string concatenated from its parts. Its characters are copied only when it is sent.
 */
export function bodyJson(body: object): string {
  let text = "{";
  for (const [key, inner] of Object.entries(body)) {
    if (inner === undefined) continue;
    text += `${text === "{" ? "" : ","}${JSON.stringify(key)}:${Array.isArray(inner) ? goneOn(inner) : written(inner)}`;
  }
  return `${text}}`;
}

/** Lists that were written, by their second item: the first may be the system text, which all dialogs share. */
let lists = new WeakMap<object, WrittenList>();
let listsSize = 0;

interface WrittenList {
  readonly items: readonly unknown[];
  /** The JSON of the first n items, with commas. Each string extends the one before, so that the characters are in memory only once. */
  readonly until: string[];
}

/** Writes a list, continuing from the earlier list that began with the same items. */
function goneOn(items: readonly unknown[]): string {
  const key: unknown = items[1];
  if (typeof key !== "object" || key === null) return listed(items);
  const before = lists.get(key);
  const until = before?.until ?? [""];
  listsSize -= until.at(-1)?.length ?? 0;
  // If an item throws, there is no list to continue from.
  lists.delete(key);
  until.length = firstDifference(before?.items ?? [], items) + 1;
  let text = until.at(-1) ?? "";
  for (let at = until.length - 1; at < items.length; at++) {
    const item = items[at];
    text += `${at === 0 ? "" : ","}${item === undefined ? "null" : written(item)}`;
    until.push(text);
  }
  listsSize += text.length;
  if (listsSize > most) {
    lists = new WeakMap();
    listsSize = 0;
  } else lists.set(key, { items, until });
  return `[${text}]`;
}

function written(value: unknown): string {
  if (Array.isArray(value)) return listed(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Object.isFrozen(value)) return kept.get(value) ?? keep(value);
  let text = "{";
  for (const [key, inner] of Object.entries(value)) {
    if (inner !== undefined) text += `${text === "{" ? "" : ","}${JSON.stringify(key)}:${written(inner)}`;
  }
  return `${text}}`;
}

function listed(list: readonly unknown[]): string {
  let text = "[";
  for (const [at, item] of list.entries()) text += (at === 0 ? "" : ",") + (item === undefined ? "null" : written(item));
  return `${text}]`;
}

function keep(value: object): string {
  const text = JSON.stringify(value);
  size += text.length;
  if (size > most) {
    kept = new WeakMap();
    size = text.length;
  }
  kept.set(value, text);
  return text;
}
