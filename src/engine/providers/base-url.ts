export type BaseURL =
  /** `base` has no slash and no `/v1` at its end. `local`: this very device. */
  | { readonly ok: true; readonly base: string; readonly host: string; readonly local: boolean }
  | { readonly ok: false; readonly message: string };

/**
 * Reads a base URL as people type it: with or without `/v1`, a slash at the end, spaces around, the scheme left out.
 * Only `https:`, and `http:` to this device: a key never goes over a wire that others can read.
 */
export function parseBaseURL(typed: string): BaseURL {
  const text = typed.trim();
  if (text === "") return refuse("is empty");
  const bareLocal = /^(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/i.test(text);
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${bareLocal ? "http" : "https"}://${text}`;
  if (!URL.canParse(withScheme)) return refuse("is not a URL");
  const url = new URL(withScheme);
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && local)) {
    return refuse("must start with https:// (http:// is for localhost only)");
  }
  if (url.username !== "" || url.password !== "") return refuse("must not hold a user name or a password");
  const path = url.pathname.replace(/\/{2,}/g, "/").replace(/\/(?:v1(?:\/messages)?\/?)?$/, "");
  return { ok: true, base: url.origin + path, host: url.host, local };
}

function refuse(why: string): BaseURL {
  return { ok: false, message: `The base URL ${why}. Correct it in the settings.` };
}
