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
  /** `isListed`: the list at the end begins it, and has named it with that. */
  begin(kind: Item["kind"], names: ItemNames, isListed?: boolean): Item;
}

export function createItems(): Items {
  const items: Item[] = [];
  /** The first item of each id and place, and all of each call's id: a response may have thousands. */
  const first = new Map<string, Item>();
  const ofCall = new Map<string, Item[]>();
  /** Those that the list at the end has named. */
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
      // Servers that change an id are more frequent than two messages of one text. Two calls of one input are not rare.
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

/** Both have a name of one kind. Where an item is looked for that has no name in common, these differ. */
function differ(item: Item, { id, at }: ItemNames): boolean {
  return (item.id !== "" && id !== "") || (item.at !== null && at !== null);
}

export const jsonOf = ({ final, json }: Pick<Item, "final" | "json">): string => final ?? json.join("");

/** Nothing of a call is missing, however the response ends. */
export function isWhole(item: Item): boolean {
  return item.done && item.closed && jsonOf(item).trim() !== "" && parseInput(jsonOf(item)).ok;
}
