export type BaseURL =
  /**
   * `base`: as typed, but without what belongs to a single call and without a version at its end.
   * `root`: where the paths of a wire of OpenAI's kind begin; its version is part of it. `local`: this very device.
   */
  | { readonly ok: true; readonly base: string; readonly root: string; readonly host: string; readonly local: boolean }
  | { readonly ok: false; readonly message: string };

/**
 * Reads a base URL as people type it: with or without `/v1`, with the path of a call behind it, a slash at the end, spaces
 * around, the scheme left out. Only `https:`, and `http:` to this device: a key never goes over a wire that others can read.
 */
export function parseBaseURL(typed: string): BaseURL {
  const text = typed.trim();
  if (text === "") return refuse("is empty");
  const bareLocal = /^(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/i.test(text);
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${bareLocal ? "http" : "https"}://${text}`;
  if (!URL.canParse(withScheme)) return refuse("isn't a valid URL");
  const url = new URL(withScheme);
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && local)) {
    return refuse("must start with https:// (http:// is for localhost only)");
  }
  if (url.username !== "" || url.password !== "") return refuse("can't include a user name or password");
  const path = withoutCall(url.pathname.replace(/\/{2,}/g, "/").replace(/\/$/, ""));
  return { ok: true, base: url.origin + path.replace(/\/v1$/, ""), root: url.origin + rootOf(url.host, path), host: url.host, local };
}

/** The path of a call goes, as people copy it from an example. */
function withoutCall(path: string): string {
  return path.replace(/\/(?:messages|chat\/completions|completions|responses|models)$/, "");
}

/** A path that names no version anywhere gets `/v1`, which is where nearly all servers have it. */
function rootOf(host: string, path: string): string {
  if (path === "" && host === "generativelanguage.googleapis.com") return "/v1beta/openai";
  return /\/v\d+(?:(?:alpha|beta)\d*)?(?=\/|$)/.test(path) ? path : `${path}/v1`;
}

function refuse(why: string): BaseURL {
  return { ok: false, message: `The provider address ${why}. Change it in Settings.` };
}
