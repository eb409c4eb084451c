import { parseInput } from "../answer.ts";

/** What a server says of an item to tell which one it means. It leaves out any of these: "" and null. */
export interface ItemNames {
  readonly id: string;
  /** Its place among the items. */
  readonly at: number | null;
  /** The id of a call; servers also name an item by it. */
  readonly callId: string;
  /** Of the tool that a call is of. */
  readonly name: string;
}

/** A message or a call of a response, as far as it has come. */
export interface Item {
  readonly kind: "message" | "call";
  id: string;
  at: number | null;
  callId: string;
  name: string;
  /** The text that was said of a message. */
  text: string;
  readonly json: string[];
  /** What the server says is the whole input, which counts more than its pieces. */
  final: string | null;
  /** The server says that its arguments are there. When the tokens have run out, it says so of half of them too. */
  closed: boolean;
  /** The server says that the item is there. */
  done: boolean;
}

/**
 * The items of one response, each of them once, however the server names it: it is told of when it begins, with each piece, when it is done
 * and again at the end, and servers change the id or the place from one time to the next. A call that is taken for two runs twice.
 */
export interface Items {
  /** The item that a piece belongs to. One without any name continues the last item. */
  ofPiece(kind: Item["kind"], names: ItemNames): Item | undefined;
  /** The item that has just begun. */
  added(kind: Item["kind"], names: ItemNames): Item | undefined;
  /** The item that is done. `is`: whether one that has no name in common is the same all the same. */
  done(kind: Item["kind"], names: ItemNames, is: (item: Item) => boolean): Item | undefined;
  /** The item that the list at the end means. Its place there tells least: servers leave out others before it. */
  listed(kind: Item["kind"], names: ItemNames, is: (item: Item) => boolean): Item | undefined;
  begin(kind: Item["kind"], names: ItemNames): Item;
}

export function createItems(): Items {
  const items: Item[] = [];
  /** Those that the list at the end has named. */
  const named = new Set<Item>();

  function learn(item: Item | undefined, { id, at, callId }: ItemNames): Item | undefined {
    if (item) {
      item.id ||= id;
      item.at ??= at;
      item.callId ||= callId;
    }
    return item;
  }

  function find(kind: Item["kind"], names: ItemNames): Item | undefined {
    const { id, at, callId } = names;
    const all = items.filter((item) => item.kind === kind);
    return (
      all.find((item) => id !== "" && (item.id === id || (item.id === "" && item.callId === id))) ??
      all.find((item) => at !== null && item.at === at && (item.callId === "" || callId === "" || item.callId === callId)) ??
      // Two calls may have one id.
      all.find((item) => callId !== "" && item.callId === callId && !item.done && !differ(item, names))
    );
  }

  return {
    ofPiece(kind, names) {
      if (names.id !== "" || names.at !== null) return learn(find(kind, names), names);
      const last = items.findLast((item) => item.kind === kind);
      return last?.done === true ? undefined : last;
    },
    added: (kind, names) => learn(find(kind, names), names),
    done(kind, names, is) {
      // Servers that change an id are more frequent than two messages of one text. Two calls of one input are not rare.
      const mayBe = (item: Item) => kind === "message" || (!differ(item, names) && (item.callId === "" || names.callId === ""));
      const isIt = (item: Item) => item.kind === kind && !item.done && mayBe(item) && is(item);
      return learn(find(kind, names) ?? items.find(isIt), names);
    },
    listed(kind, names, is) {
      const left = items.filter((item) => item.kind === kind && !named.has(item));
      const { id, at, callId, name } = names;
      const isOfName = (item: Item) => item.name === "" || item.name === name;
      const found =
        left.find((item) => id !== "" && item.id === id) ??
        left.find((item) => callId !== "" && item.callId === callId && isOfName(item)) ??
        left.find(is) ??
        left.find((item) => item.at === at && isOfName(item));
      if (found) named.add(found);
      return learn(found, { ...names, at: null });
    },
    begin(kind, names) {
      const item: Item = { kind, ...names, text: "", json: [], final: null, closed: false, done: false };
      items.push(item);
      return item;
    },
  };
}

/** Both have a name of one kind. Where an item is looked for that has no name in common, these differ. */
function differ(item: Item, { id, at }: ItemNames): boolean {
  return (item.id !== "" && id !== "") || (item.at !== null && at !== null);
}

export const jsonOf = ({ final, json }: Pick<Item, "final" | "json">): string => final ?? json.join("");

/** Nothing of a call is missing, however the response ends. */
export function isWhole(item: Item): boolean {
  return item.done && item.closed && jsonOf(item).trim() !== "" && parseInput(jsonOf(item)).ok;
}
