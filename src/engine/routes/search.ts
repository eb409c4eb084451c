import { isGitObject } from "../../fs/git-name.ts";
import type { FileStat } from "../../fs/files.ts";
import { StorageError } from "../../fs/storage-error.ts";
import { nameOf } from "../../fs/vibey-name.ts";
import type { FoundFile, FoundLine, SearchFrame } from "../../protocol/index.ts";
import { fileBatches } from "../file-batches.ts";
import { parseDialogFilename } from "../../dialog/name.ts";
import { limits } from "../../protocol/limits.ts";
import { readEach } from "../read-each.ts";
import { decodeText } from "../text.ts";
import { failure } from "./answers.ts";
import type { RouteContext } from "./context.ts";
import { isVibey } from "./deed.ts";
import { createRoutes, route } from "./route.ts";
import { pulledStream } from "./sse.ts";

/** How many UTF-16 units of a line are shown, and how many of them before the match. */
const shown = { all: 160, before: 32 } as const;

/** Searches the text of every file. If the caller leaves, the search stops. */
export function searchRoutes({ files, store }: Pick<RouteContext, "files" | "store">, report: (error: unknown) => void) {
  const app = createRoutes(report);
  route(app, "/search", {
    GET: async ({ url }) => {
      const words = url.searchParams.get("q") ?? "";
      if (words.trim() === "") return failure(400, "q: expected what to look for");
      if (words.length > limits.searchQuery) return failure(400, `q: expected at most ${limits.searchQuery} characters`);
      await store.flush();
      return pulledStream(look(words));
    },
  });
  return app.fetch;

  async function* look(words: string): AsyncGenerator<SearchFrame> {
    const wanted = new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
    const all = (await files.list()).filter(({ path }) => !isGitObject(path)).toSorted((a, b) => rank(a) - rank(b) || b.mtime - a.mtime);
    let [found, unread] = [0, 0];
    for (const batch of fileBatches(all, (stat) => stat)) {
      const readable = batch.filter(({ size }) => size <= limits.searchBytes);
      unread += batch.length - readable.length;
      const contents = await readEach(
        files,
        readable.map(({ path }) => path),
      );
      for (const content of contents) {
        if (content instanceof StorageError) {
          unread++;
          continue;
        }
        const text = content && decodeText(content.bytes);
        const hit = content && text != null ? searchText(text, wanted) : null;
        if (content === null || hit === null) continue;
        found++;
        yield { type: "found", path: content.path, ...hit };
        if (found >= limits.searchFiles) return yield { type: "end", unread, cut: true };
      }
    }
    yield { type: "end", unread, cut: false };
  }
}

/** Docs, then dialogs, then the rest of `vibey/`, then the deed. */
function rank({ path }: FileStat): number {
  if (!isVibey(path)) return 3;
  const name = nameOf(path);
  return name === null ? 2 : name.startsWith("doc-") ? 0 : parseDialogFilename(name) ? 1 : 2;
}

/** The first lines with a match, each listed once. Null if there is none. `wanted` has the flag `g`. */
export function searchText(text: string, wanted: RegExp): Pick<FoundFile, "lines" | "more"> | null {
  const lines: FoundLine[] = [];
  let more = 0;
  let number = 1;
  let counted = 0;
  let end = -1;
  for (const match of text.matchAll(wanted)) {
    if (match.index < end) continue;
    if (lines.length >= limits.searchLines) {
      more++;
      if (more >= limits.searchMore) break;
      end = lineEnd(text, match.index);
      continue;
    }
    const start = match.index === 0 ? 0 : text.lastIndexOf("\n", match.index - 1) + 1;
    for (let at = text.indexOf("\n", counted); at !== -1 && at < start; at = text.indexOf("\n", at + 1)) number++;
    counted = start;
    end = lineEnd(text, match.index);
    const from = match.index - start;
    const cut = Math.max(0, from - shown.before);
    const excerpt = text.slice(start + cut, Math.min(end, start + cut + shown.all));
    lines.push({ line: number, from, to: Math.min(from + match[0].length, end - start), text: excerpt, at: from - cut });
  }
  return lines.length === 0 ? null : { lines, more };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}
