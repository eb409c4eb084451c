import { firstDifference } from "../prompt/continue-note.ts";

/** Characters of JSON that are kept for later, of objects and again of lists, which share most of them; beyond, all of it is let go. */
const most = 32_000_000;

let kept = new WeakMap<object, string>();
let size = 0;

/**
 * `JSON.stringify` for a request's body. Most of it was in the body of the turn before, and is written once, so that a turn costs what is
 * new in it: what is frozen, and the items that a list of the body, such as its messages, had at its start. They are values: anyone who
 * changes one makes another.
 *
 * The answer is a string that is put together from its parts; its characters are copied when it is sent, and not before.
 */
export function bodyJson(body: object): string {
  let text = "{";
  for (const [key, inner] of Object.entries(body)) {
    if (inner === undefined) continue;
    text += `${text === "{" ? "" : ","}${JSON.stringify(key)}:${Array.isArray(inner) ? goneOn(inner) : written(inner)}`;
  }
  return `${text}}`;
}

/** Lists that were written, by their second item: the first one may be the system's text, which all dialogs share. */
let lists = new WeakMap<object, WrittenList>();
let listsSize = 0;

interface WrittenList {
  readonly items: readonly unknown[];
  /** The first n items, commas between them. Each is made from the one before, so that all together hold the characters once. */
  readonly until: string[];
}

/** Writes a list, continuing from the one that began with the same items. */
function goneOn(items: readonly unknown[]): string {
  const key: unknown = items[1];
  if (typeof key !== "object" || key === null) return listed(items);
  const before = lists.get(key);
  const until = before?.until ?? [""];
  listsSize -= until.at(-1)?.length ?? 0;
  // What throws leaves nothing to continue from.
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
