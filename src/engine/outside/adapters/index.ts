import { isRaw, type Raw } from "../event.ts";
import type { EventAdapter } from "./adapter.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { generic } from "./generic.ts";
import { opencode } from "./opencode.ts";
import { vibe } from "./vibe.ts";

/** In the order in which they are asked: an event that is universal already is used as it is. */
export const adapters: readonly EventAdapter[] = [generic, codex, opencode, claudeCode, vibe];

export const adapterNamed = (name: string): EventAdapter | null => adapters.find((one) => one.name === name) ?? null;

/** Any known event as those of the universal protocol; null: no adapter knows it. */
export function normalized(raw: Raw): readonly Raw[] | null {
  const adapter = adapters.find((one) => one.canHandle(raw));
  const event = adapter?.normalize(raw) ?? null;
  return event === null ? null : withMore(event);
}

/** The event, and those that come with it. */
export function withMore({ _alsoEmit: more, ...event }: Raw): readonly Raw[] {
  return [event, ...(Array.isArray(more) ? more.filter(isRaw).slice(0, mostMore) : [])];
}

const mostMore = 10;
