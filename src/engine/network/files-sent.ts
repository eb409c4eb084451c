import type { Files } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import { limits } from "../../protocol/limits.ts";
import { readUndamaged } from "../read-each.ts";
import { equalBytes } from "../../shell/equal-bytes.ts";

/** Files that are read to be compared with one body, and bytes of all of them. */
const maxCompared = 20;
const maxBytes = 32_000_000;

/** The files of the project whose whole content is this body, if they are found quickly, so that the question can name them. */
export async function filesSent(body: Uint8Array | null, files: Pick<Files, "list" | "readMany">): Promise<Path[]> {
  if (body === null || body.length === 0) return [];
  const alike = (await files.list())
    .filter(({ size }) => size === body.length)
    .slice(0, Math.max(1, Math.min(maxCompared, Math.floor(maxBytes / body.length))));
  if (alike.length === 0) return [];
  const contents = await readUndamaged(
    files,
    alike.map(({ path }) => path),
  );
  const same = contents.flatMap((content) => (content !== null && equalBytes(content.bytes, body) ? [content.path] : []));
  return same.slice(0, limits.networkFilesNamed);
}
