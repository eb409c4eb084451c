import { strangeQuestion } from "../texts/preview.ts";
import type { DeedFiles } from "./deed-files.ts";
import type { Scripts } from "./build/scripts.ts";

/** A page of the deed, with the query and the hash of a link to it. */
export interface PageAddress {
  readonly path: string;
  readonly search: string;
  readonly hash: string;
}

/** The maximum length of a path, name or level sent by the frame, in UTF-16 units. */
const longest = 4_096;
/** The maximum length of an inline script that the frame sends to be built, in UTF-16 units. */
export const longestScript = 8 * 1024 * 1024;

export const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

export function field(record: Record<string, unknown>, name: string, length = longest): string {
  const value = record[name];
  return typeof value === "string" && value.length <= length ? value : "";
}

const pageAddressOf = (record: Record<string, unknown>): PageAddress => ({
  path: field(record, "path"),
  search: field(record, "search"),
  hash: field(record, "hash"),
});

/**
 * Answers the frame's questions. They are untrusted: a path leads into the deed or nowhere. Each question has an `id` and a kind `as`, and gets one
 * answer with the same `id`:
 *
 *   file                  `{blob}`
 *   text                  `{text}`
 *   classic, with `text`  `{parts, problem?}`, a script as in `FilledScript`; without `text`, the script of the file
 *   inline, with `text`   the same, for a module in the page `path`
 *   module                the same, for the module with this key
 *   find, with `specifier` `{to}` or `{problem}`: the module that a computed `import()` in `path` means
 *
 * The answer is `{missing: true}` if there is no such file, and `{problem}` if it could not be read.
 */
export const answer = (question: unknown, files: DeedFiles, scripts: Scripts): Promise<object | null> =>
  answerBy(question, (known) => found(known, files, scripts));

/** The same with the answers of `find`. `find` returns null if there is no such thing. */
export async function answerBy(
  question: unknown,
  find: (question: Record<string, unknown>) => Promise<object | null>,
): Promise<object | null> {
  if (!isRecord(question) || typeof question["id"] !== "number") return null;
  const { id } = question;
  try {
    return { type: "got", id, ...((await find(question)) ?? { missing: true }) };
  } catch (error) {
    return { type: "got", id, problem: error instanceof Error ? error.message : String(error) };
  }
}

async function found(question: Record<string, unknown>, files: DeedFiles, scripts: Scripts): Promise<object | null> {
  const path = field(question, "path");
  const names = question["mapped"];
  const mapped = Array.isArray(names) ? names.filter((name) => typeof name === "string").slice(0, 1_000) : [];
  switch (question["as"]) {
    case "file": {
      const blob = await files.blob(path);
      return blob && { blob };
    }
    case "text": {
      const text = await files.text(path);
      return text === null ? null : { text };
    }
    case "classic": {
      const text = typeof question["text"] === "string" ? field(question, "text", longestScript) : await files.text(path);
      return text === null ? null : scripts.text(path, text, "classic", mapped);
    }
    case "inline":
      return scripts.text(path, field(question, "text", longestScript), "module", mapped);
    case "module":
      return files.has(path.replace(/\?[^]*$/, "")) ? scripts.module(path, mapped) : null;
    case "find":
      return scripts.lookUp(field(question, "specifier"), path, field(question, "attribute"));
    default:
      return { problem: strangeQuestion };
  }
}

/** The first page to show: index.html, else the first page in the root, else the least deeply nested page. */
export function firstPage(paths: readonly string[], wanted = "index.html"): string | null {
  if (paths.includes(wanted)) return wanted;
  return pages(paths)[0] ?? null;
}

/** All pages of the deed, those in its root first, without those of packages. */
export function pages(paths: readonly string[]): readonly string[] {
  const depth = (path: string) => path.split("/").length;
  const main = (path: string) => (/(^|\/)index\.html?$/i.test(path) ? 0 : 1);
  return paths
    .filter((path) => /\.html?$/i.test(path) && !/(^|\/)node_modules\//.test(path))
    .toSorted((a, b) => depth(a) - depth(b) || main(a) - main(b) || (a < b ? -1 : 1));
}

/** A message that the frame sends by itself; null if it isn't a known one. */
export type FrameMessage =
  | { readonly type: "ready" | "moved"; readonly place: PageAddress }
  /** `form`: the data sent to a server with it. */
  | { readonly type: "open"; readonly place: PageAddress; readonly form: { readonly type: string; readonly blob: Blob } | null }
  | { readonly type: "console"; readonly level: string; readonly text: string }
  | { readonly type: "get"; readonly question: unknown }
  | { readonly type: "pong" | "anew" };

export function said(data: unknown, longestLine: number): FrameMessage | null {
  if (!isRecord(data)) return null;
  switch (data["type"]) {
    case "ready":
    case "moved":
      return { type: data["type"], place: pageAddressOf(data) };
    case "open": {
      const form = data["form"];
      const sent = isRecord(form) && form["blob"] instanceof Blob ? { type: field(form, "type", 200), blob: form["blob"] } : null;
      return { type: "open", place: pageAddressOf(data), form: sent };
    }
    case "console": {
      const text = data["text"];
      return {
        type: "console",
        level: field(data, "level", 10),
        text: (typeof text === "string" ? text : String(text)).slice(0, longestLine),
      };
    }
    case "get":
      return { type: "get", question: data };
    case "pong":
    case "anew":
      return { type: data["type"] };
    default:
      return null;
  }
}
