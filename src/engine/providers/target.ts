import { parseBaseURL } from "./base-url.ts";
import { readKey } from "./key.ts";
import type { Stop } from "./provider.ts";

export interface WireSettings {
  readonly apiKey: string | null;
  /** There is a key, remembered on this device, and the user has not unlocked it. */
  readonly locked?: boolean;
  /** As the user typed it; empty means the official one. */
  readonly baseURL: string;
}

/** Where and how to ask: settings that were read and found good. */
export interface Target {
  readonly base: string;
  readonly root: string;
  readonly host: string;
  readonly local: boolean;
  readonly official: boolean;
  /** "" when there is none. */
  readonly key: string;
}

/** Whose settings they are. */
export interface Whose {
  readonly title: string;
  readonly defaultBaseURL: string;
}

type Found = { readonly ok: true; readonly target: Target } | Failed;
type Failed = { readonly ok: false; readonly stop: Extract<Stop, { kind: "error" }> };

/** Finds what is wrong with the settings before anything goes out. */
export function readTarget(settings: WireSettings, { title, defaultBaseURL }: Whose): Found {
  const url = parseBaseURL(settings.baseURL.trim() === "" ? defaultBaseURL : settings.baseURL);
  if (!url.ok) return failed("unreachable", url.message);
  const { base, root, host, local } = url;
  const official = base === defaultBaseURL;
  const key = readKey(settings.apiKey ?? "");
  if (!key.ok) return failed("bad-key", key.message);
  if (key.key === "" && settings.locked === true)
    return failed("no-key", `Your ${title} key is locked. Unlock it in Settings, then continue.`);
  // A server of one's own often needs no key.
  if (key.key === "" && official) return failed("no-key", `No API key for ${title} yet. Add one in Settings.`);
  return { ok: true, target: { base, root, host, local, official, key: key.key } };
}

function failed(reason: "no-key" | "bad-key" | "unreachable", message: string): Failed {
  return { ok: false, stop: { kind: "error", reason, message } };
}
