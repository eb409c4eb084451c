import { type Draft, type DraftParts, type Drafts, idOf, parseDraft } from "./drafts.ts";

/** Another tab has written `json` under this name. Takes it over if nothing else was typed here since. Otherwise keeps both. */
export function hear(parts: DraftParts, name: string, json: string | null): void {
  const { store, prefix, tab, drafts, known, places, waiting, touch, tell } = parts;
  const place = name.slice(prefix.length);
  const key = places.get(place) ?? place;
  const mine = drafts.get(key);
  const isRival = key.includes("\n");
  const said = parseDraft(json);
  const there = store.getItem(name);
  if (said === null || json === null) {
    if (mine === undefined) return;
    // A rival text beside this tab's own text was typed elsewhere. It is removed when its tab says so.
    if ((json === known.get(key) || isRival) && !waiting.has(key)) {
      drafts.delete(key);
      known.delete(key);
      if (places.get(place) !== undefined && place.includes("\n")) takePlace(parts, key, place);
      else goHome(parts, place);
      tell(key);
    } else if (json === null && !waiting.has(key) && known.get(key)?.startsWith(tab) === false) {
      // The file was deleted elsewhere. The tab in which the text was typed keeps it.
      drafts.delete(key);
      known.delete(key);
      tell(key);
    } else if (there === null || parseDraft(there) === null) {
      // The other tab dropped an older text than this tab's.
      known.delete(key);
      touch(key);
    }
    return;
  }
  const id = idOf(json);
  const last = known.get(key);
  if (id === last) return;
  if (mine !== undefined && there !== null && idOf(there) === last) {
    // Two tabs wrote at once, and this tab wrote last. The other tab's text is stored nowhere, unless this text was made from it.
    if (!last.startsWith(tab) || onOf(there) === id || mine.text === said.text) return;
    const beside = `${place}\n${id}`;
    drafts.set(beside, said);
    touch(beside);
    tell(beside);
    return;
  }
  const isStored = !waiting.has(key);
  // If this tab just saved or discarded a text, it wasn't this one.
  const isNext = isStored && (isRival || onOf(json) === last);
  if (mine === undefined ? isStored : isNext || mine.text === said.text) {
    drafts.set(key, said);
    known.set(key, id);
    dropEarlier(parts, key, json);
    dropEqual(parts, key);
    tell(key);
    return;
  }
  parts.swap(key);
  const beside = places.get(key) ?? key;
  drafts.set(beside, said);
  known.set(beside, id);
  touch(key);
  parts.flush();
  tell(beside);
}

/** The id of the text that this one was made from. */
function onOf(json: string): string | undefined {
  const { on }: { on?: unknown } = JSON.parse(json);
  return typeof on === "string" ? on : undefined;
}

/** A tab has kept its text itself, so the copy that another tab kept for it is dropped. */
function dropEarlier({ drafts, touch }: DraftParts, key: string, json: string) {
  const on = onOf(json);
  const copy = `${key.split("\n")[0] ?? key}\n${on ?? ""}`;
  if (on !== undefined && copy !== key && drafts.delete(copy)) touch(copy);
}

/** Drops a rival text that equals the other text. */
function dropEqual(parts: DraftParts, rival: string) {
  const { drafts, places, touch } = parts;
  const [key = rival] = rival.split("\n");
  if (key === rival || drafts.get(key)?.text !== drafts.get(rival)?.text) return;
  if (places.get(key) === rival) goHome(parts, key);
  else if (drafts.delete(rival)) touch(rival);
}

/** The place that the text of `key` shares with other tabs is free again. The text goes back there. */
function goHome({ drafts, known, places, touch }: DraftParts, key: string) {
  const beside = places.get(key);
  if (beside === undefined) return;
  places.delete(key);
  places.delete(beside);
  const [own, shared] = [known.get(key), known.get(beside)];
  set(known, key, shared);
  set(known, beside, own);
  drafts.delete(beside);
  touch(beside);
  touch(key);
}
/** The user decided against this tab's text. It now shows the text in the shared place. */
function takePlace({ drafts, known, places, tell }: DraftParts, key: string, beside: string) {
  places.delete(key);
  places.delete(beside);
  for (const map of [drafts, known] as const) {
    set<unknown>(map, key, map.get(beside));
    map.delete(beside);
  }
  tell(beside);
}
const set = <T>(map: Map<string, T>, key: string, value: T | undefined) => (value === undefined ? map.delete(key) : map.set(key, value));

/** The keys of texts that other tabs typed at the same time as this one, in the same place. */
export const rivalsOf = (drafts: Pick<Drafts, "keys">, key: string): readonly string[] =>
  Array.from(drafts.keys()).filter((other) => other.startsWith(`${key}\n`));

/** The user, or a merge of both, has decided between the text of `key` and its rival. `text` is the result for all tabs; null: nothing is unsaved. */
export function decide(drafts: Drafts, key: string, rival: string, text: Draft | null): void {
  const { parts } = drafts;
  if (parts.places.get(key) === rival) goHome(parts, key);
  else drafts.drop(rival);
  if (text !== null) drafts.keep(key, text);
  else {
    parts.drafts.delete(key);
    parts.touch(key);
  }
  drafts.flush();
}
