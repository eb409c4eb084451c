import { parseBaseURL } from "./base-url.ts";
import { readKey } from "./key.ts";
import type { Stop } from "./provider.ts";

export interface WireSettings {
  readonly apiKey: string | null;
  /** A key is remembered on this device, and the user has not unlocked it. */
  readonly locked?: boolean;
  /** As the user typed it. Empty: the official one. */
  readonly baseURL: string;
}

/** Where and how to send requests: the checked settings. */
export interface Target {
  readonly base: string;
  readonly root: string;
  readonly host: string;
  readonly local: boolean;
  readonly official: boolean;
  /** "" if there is none. */
  readonly key: string;
}

/** The provider that the settings belong to. */
export interface Whose {
  readonly title: string;
  readonly defaultBaseURL: string;
}

type Found = { readonly ok: true; readonly target: Target } | Failed;
type Failed = { readonly ok: false; readonly stop: Extract<Stop, { kind: "error" }> };

/** Checks the settings before anything is sent. */
export function readTarget(settings: WireSettings, { title, defaultBaseURL }: Whose): Found {
  const url = parseBaseURL(settings.baseURL.trim() === "" ? defaultBaseURL : settings.baseURL);
  if (!url.ok) return failed("unreachable", url.message);
  const { base, root, host, local } = url;
  const official = base === defaultBaseURL;
  const key = readKey(settings.apiKey ?? "");
  if (!key.ok) return failed("bad-key", key.message);
  if (key.key === "" && settings.locked === true)
    return failed("no-key", `Your ${title} key is locked. Unlock it in Settings, then continue.`);
  // A user's own server often needs no key.
  if (key.key === "" && official) return failed("no-key", `No API key for ${title} yet. Add one in Settings.`);
  return { ok: true, target: { base, root, host, local, official, key: key.key } };
}

function failed(reason: "no-key" | "bad-key" | "unreachable", message: string): Failed {
  return { ok: false, stop: { kind: "error", reason, message } };
}
