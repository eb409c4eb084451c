import { parseInput } from "../answer.ts";

/** The names by which a server identifies an item. Any of them may be missing: "" or null. */
export interface ItemNames {
  readonly id: string;
  /** The item's index in the output. */
  readonly at: number | null;
  /** The id of a call. Some servers also use it as the item's id. */
  readonly callId: string;
  /** The name of the called tool. */
  readonly name: string;
}

/** A message or a call of a response, as far as it has arrived. */
export interface Item {
  readonly kind: "message" | "call";
  id: string;
  at: number | null;
  callId: string;
  name: string;
  /** A message's text so far. */
  text: string;
  readonly json: string[];
  /** The whole input as the server repeats it. It takes precedence over the pieces. */
  final: string | null;
  /** The server says that the arguments are complete. If the tokens ran out, it also says so of incomplete arguments. */
  closed: boolean;
  /** The server says that the item is complete. */
  done: boolean;
}

/**
 * The items of one response, each exactly once. A server names an item when it begins, with each piece, when it is done, and again in the
 * list at the end. Some servers change the id or the index in between. If one call were taken for two, it would run twice.
 */
export interface Items {
  /** The item that a piece belongs to. A piece without id and index continues the last item. */
  ofPiece(kind: Item["kind"], names: ItemNames): Item | undefined;
  /** The item that has just begun. */
  added(kind: Item["kind"], names: ItemNames): Item | undefined;
  /** The item that is done. `is`: whether an item without a common name is the same nevertheless. */
  done(kind: Item["kind"], names: ItemNames, is: (item: Item) => boolean): Item | undefined;
  /** The item that an entry of the list at the end means. The index there counts least, because some servers leave out items before it. */
  listed(kind: Item["kind"], names: ItemNames, is: (item: Item) => boolean): Item | undefined;
  /** Adds an item. `isListed`: for an entry of the list at the end, so that no other entry is taken for the same item. */
  begin(kind: Item["kind"], names: ItemNames, isListed?: boolean): Item;
}

export function createItems(): Items {
  const items: Item[] = [];
  /** The first item of each id and index, and all items of each call id. Maps, because a response may have thousands of items. */
  const first = new Map<string, Item>();
  const ofCall = new Map<string, Item[]>();
  /** The items that the list at the end has named. */
  const named = new Set<Item>();

  function note(item: Item, { id, at, callId }: ItemNames): void {
    for (const key of [id === "" ? null : `${item.kind} id ${id}`, at === null ? null : `${item.kind} at ${at}`])
      if (key !== null && !first.has(key)) first.set(key, item);
    if (callId === "") return;
    const others = ofCall.get(callId);
    if (others) others.push(item);
    else ofCall.set(callId, [item]);
  }

  function learn(item: Item | undefined, { id, at, callId, name }: ItemNames): Item | undefined {
    if (item) {
      note(item, { id: item.id === "" ? id : "", at: item.at === null ? at : null, callId: item.callId === "" ? callId : "", name });
      item.id ||= id;
      item.at ??= at;
      item.callId ||= callId;
    }
    return item;
  }

  const ofCallId = (kind: Item["kind"], callId: string) => (kind === "call" && callId !== "" ? (ofCall.get(callId) ?? []) : []);

  function find(kind: Item["kind"], names: ItemNames): Item | undefined {
    const { id, at, callId } = names;
    const byId = first.get(`${kind} id ${id}`) ?? ofCallId(kind, id).find((item) => item.id === "");
    if (id !== "" && byId) return byId;
    const there = at === null ? undefined : first.get(`${kind} at ${at}`);
    if (there && (there.callId === "" || callId === "" || there.callId === callId)) return there;
    // Two calls may have one id.
    return ofCallId(kind, callId).find((item) => !item.done && !differ(item, names));
  }

  return {
    ofPiece(kind, names) {
      if (names.id !== "" || names.at !== null) return learn(find(kind, names), names);
      const last = items.findLast((item) => item.kind === kind);
      return last?.done === true ? undefined : last;
    },
    added: (kind, names) => learn(find(kind, names), names),
    done(kind, names, is) {
      // A changed id is more frequent than two messages with the same text. Two calls with the same input are not rare.
      const mayBe = (item: Item) => kind === "message" || (!differ(item, names) && (item.callId === "" || names.callId === ""));
      const isIt = (item: Item) => item.kind === kind && !item.done && mayBe(item) && is(item);
      return learn(find(kind, names) ?? items.find(isIt), names);
    },
    listed(kind, names, is) {
      const { id, at, callId, name } = names;
      const isLeft = (item: Item) => item.kind === kind && !named.has(item);
      const isOfName = (item: Item) => isLeft(item) && (item.name === "" || item.name === name);
      const byId = id === "" ? undefined : first.get(`${kind} id ${id}`);
      const found =
        (byId && isLeft(byId) ? byId : undefined) ??
        ofCallId(kind, callId).find(isOfName) ??
        items.find((item) => isLeft(item) && is(item)) ??
        items.find((item) => item.at === at && isOfName(item));
      if (found) named.add(found);
      return learn(found, { ...names, at: null });
    },
    begin(kind, names, isListed = false) {
      const item: Item = { kind, ...names, text: "", json: [], final: null, closed: false, done: false };
      items.push(item);
      if (isListed) named.add(item);
      note(item, names);
      return item;
    },
  };
}

/** Whether both have an id, or both have an index. They differ then, because no item was found by id or index. */
function differ(item: Item, { id, at }: ItemNames): boolean {
  return (item.id !== "" && id !== "") || (item.at !== null && at !== null);
}

export const jsonOf = ({ final, json }: Pick<Item, "final" | "json">): string => final ?? json.join("");

/** Whether the call is complete, however the response ends. */
export function isWhole(item: Item): boolean {
  return item.done && item.closed && jsonOf(item).trim() !== "" && parseInput(jsonOf(item)).ok;
}
