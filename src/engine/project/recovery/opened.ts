import { type OpenCopy } from "../../../fs/copy/found.ts";
import type { CopiedFile } from "../../../fs/copy/contents.ts";
import type { IdbFiles } from "../../../fs/idb.ts";
import { StorageError } from "../../../fs/storage-error.ts";
import type { OpenedFound, PathsFound } from "../../../protocol/index.ts";
import { countOf, isCopied } from "./copied.ts";
import { differences } from "./merge-copy.ts";

/** How many paths of each kind are listed. */
const maxListed = 20;

/** What the database holds, and how it differs from a copy. Null if it doesn't open or has no files. */
export async function describeOpened(
  open: () => Promise<IdbFiles>,
  copy: { readonly files: readonly CopiedFile[]; readonly content: OpenCopy["content"] } | null,
): Promise<OpenedFound | null> {
  let files: IdbFiles;
  try {
    files = await open();
  } catch (error) {
    if (error instanceof StorageError) return null;
    throw error;
  }
  try {
    const stats = await files.list();
    if (stats.length === 0) return null;
    const [bytes, at] = stats.reduce(([sum, last], { size, mtime }) => [sum + size, Math.max(last, mtime)], [0, 0]);
    const found =
      copy &&
      (await differences(
        { list: async () => stats.filter(({ path }) => isCopied(path)), read: (path) => files.read(path) },
        copy.files,
        copy.content,
      ));
    return {
      ...countOf(stats),
      bytes,
      at,
      differences: found && {
        onlyOpened: listed(found.onlyOpened),
        onlyCopied: listed(found.onlyCopied),
        differing: listed(found.differing),
      },
    };
  } finally {
    files.close();
  }
}

const listed = (paths: readonly string[]): PathsFound => ({ count: paths.length, first: paths.slice(0, maxListed) });
