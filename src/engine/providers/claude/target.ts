import { parseBaseURL } from "../base-url.ts";
import { readKey } from "../key.ts";
import type { Stop } from "../provider.ts";
import { defaultBaseURL } from "./models.ts";

export interface ClaudeSettings {
  readonly apiKey: string | null;
  /** As the human typed it; empty means the official one. */
  readonly baseURL: string;
}

/** Where and how to ask: settings that were read and found good. */
export interface Target {
  readonly base: string;
  readonly host: string;
  readonly local: boolean;
  readonly official: boolean;
  readonly key: string;
}

type Found = { readonly ok: true; readonly target: Target } | Failed;
type Failed = { readonly ok: false; readonly stop: Extract<Stop, { kind: "error" }> };

/** Finds what is wrong with the settings before anything goes out. */
export function readTarget(settings: ClaudeSettings): Found {
  const url = parseBaseURL(settings.baseURL.trim() === "" ? defaultBaseURL : settings.baseURL);
  if (!url.ok) return failed("unreachable", url.message);
  const official = url.base === defaultBaseURL;
  const key = readKey(settings.apiKey ?? "");
  if (!key.ok) return failed("bad-key", key.message);
  // A server of one's own often needs no key.
  if (key.key === "" && official) return failed("no-key", "There is no API key for Claude yet. Add one in the settings.");
  return { ok: true, target: { base: url.base, host: url.host, local: url.local, official, key: key.key } };
}

function failed(reason: "no-key" | "bad-key" | "unreachable", message: string): Failed {
  return { ok: false, stop: { kind: "error", reason, message } };
}
