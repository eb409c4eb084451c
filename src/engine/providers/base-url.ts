export type BaseURL =
  /**
   * `base`: as typed, but without the path of a call and without `/v1` at its end. `root`: the base of the paths of an OpenAI-compatible API,
   * including the version. `local`: the server is on this device.
   */
  | { readonly ok: true; readonly base: string; readonly root: string; readonly host: string; readonly local: boolean }
  | { readonly ok: false; readonly message: string };

/**
 * Reads a base URL as people type it: with or without `/v1`, with the path of a call, a slash at the end, spaces around it, or without a
 * scheme. Accepts only `https:`, and `http:` to this device, so that a key is never sent over a connection that others can read.
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

/** Removes the path of a call, because people copy URLs from examples. */
function withoutCall(path: string): string {
  return path.replace(/\/(?:messages|chat\/completions|completions|responses|models)$/, "");
}

/** Adds `/v1` if the path has no version, because nearly all servers have their API there. */
function rootOf(host: string, path: string): string {
  if (path === "" && host === "generativelanguage.googleapis.com") return "/v1beta/openai";
  return /\/v\d+(?:(?:alpha|beta)\d*)?(?=\/|$)/.test(path) ? path : `${path}/v1`;
}

function refuse(why: string): BaseURL {
  return { ok: false, message: `The provider address ${why}. Change it in Settings.` };
}
