import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { isRaw, type Raw, textIn } from "../event.ts";
import type { EventAdapter } from "./adapter.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { generic } from "./generic.ts";
import { opencode } from "./opencode.ts";
import { vibe } from "./vibe.ts";

/** Adapters, in the order in which they are tried. An event that is already in the universal protocol is used unchanged. */
export const adapters: readonly EventAdapter[] = [generic, codex, opencode, claudeCode, vibe];

export const adapterNamed = (name: string): EventAdapter | null => adapters.find((one) => one.name === name) ?? null;

/** Converts an event to events of the universal protocol. Null: no adapter knows it. */
export function normalized(raw: Raw): readonly Raw[] | null {
  const adapter = adapters.find((one) => one.canHandle(raw));
  const event = adapter?.normalize(raw) ?? null;
  return event === null ? null : withMore(event);
}

/** The event and its additional events, at most `mostMore` of them. If the event has an id, so has each of these: it may be sent again. */
export function withMore({ _alsoEmit: more, ...event }: Raw): readonly Raw[] {
  const others = Array.isArray(more) ? more.filter(isRaw).slice(0, mostMore) : [];
  const id = textIn(event, "id") ?? "";
  return [event, ...others.map((one, nth) => (id === "" || (textIn(one, "id") ?? "") !== "" ? one : { ...one, id: partId(id, nth) }))];
}

/** At most as long as an event's id may be. */
const partId = (id: string, nth: number): string => (id.length > 190 ? bytesToHex(sha256(utf8ToBytes(`${id}+${nth}`))) : `${id}+${nth}`);

const mostMore = 10;
