import { strangeQuestion } from "../texts/preview.ts";
import type { DeedFiles } from "./deed-files.ts";
import type { Scripts } from "./build/scripts.ts";

/** A page of the deed, with what stands behind its path in a link. */
export interface PageAddress {
  readonly path: string;
  readonly search: string;
  readonly hash: string;
}

/** UTF-16 units of a path, a name or a level that the frame may send. */
const longest = 4_096;
/** UTF-16 units of an inline script, which the page wrote and the frame sends to be built. */
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
 * Answers what the frame asks for. Its questions are a stranger's: a path leads into the deed or to nothing. Each has an `id` and
 * an `as`, and gets one answer of the same `id`:
 *
 *   file                  `{blob}`
 *   text                  `{text}`
 *   classic, with `text`  `{parts, problem?}`, a script as `FilledScript` has it; without `text` that of the file
 *   inline, with `text`   the same, of a module that stands in the page `path`
 *   module                the same, of the module with this key
 *   find, with `specifier` `{to}` or `{problem}`: the module that a computed `import()` in `path` means
 *
 * and `{missing: true}` when there is no such file, `{problem}` when it could not be read.
 */
export const answer = (question: unknown, files: DeedFiles, scripts: Scripts): Promise<object | null> =>
  answerBy(question, (known) => found(known, files, scripts));

/** The same with what `find` says: null when there is no such thing. */
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

/** The page to begin with: index.html, else the first page of the root, else the one that lies least deep. */
export function firstPage(paths: readonly string[], wanted = "index.html"): string | null {
  if (paths.includes(wanted)) return wanted;
  return pages(paths)[0] ?? null;
}

/** All pages of the deed, those of its root first; none of the packages'. */
export function pages(paths: readonly string[]): readonly string[] {
  const depth = (path: string) => path.split("/").length;
  const main = (path: string) => (/(^|\/)index\.html?$/i.test(path) ? 0 : 1);
  return paths
    .filter((path) => /\.html?$/i.test(path) && !/(^|\/)node_modules\//.test(path))
    .toSorted((a, b) => depth(a) - depth(b) || main(a) - main(b) || (a < b ? -1 : 1));
}

/** What the frame says by itself; null when it is nothing that this knows. */
export type FrameMessage =
  | { readonly type: "ready" | "moved"; readonly place: PageAddress }
  /** `form`: what is sent to a server with it. */
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
