import type { CopiedFile } from "../../../fs/copy/contents.ts";
import { outgoing } from "../outgoing/outgoing.ts";
import { commentOf } from "../zip/archive.ts";
import type { Path } from "../../../fs/path.ts";
import { zipStream } from "../../../fs/zip/write.ts";

/** A zip of a copy's files, in its safe form. `close` is called when the zip is complete, or when no one reads it anymore. */
export async function copyZip(
  files: readonly CopiedFile[],
  content: (file: CopiedFile) => Uint8Array,
  close: () => void,
): Promise<Response> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const read = async (path: Path) => {
    const file = byPath.get(path);
    return file ? content(file) : null;
  };
  let reader: ReadableStreamDefaultReader<Uint8Array>;
  try {
    const { entries } = await outgoing({ files, read, asTheyAre: false });
    reader = zipStream(entries, { comment: commentOf(null) }).getReader();
  } catch (error) {
    close();
    throw error;
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        close();
        controller.close();
      } catch (error) {
        close();
        throw error;
      }
    },
    async cancel(reason) {
      close();
      await reader.cancel(reason);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "application/zip",
      "content-disposition": 'attachment; filename="vibey-second-copy.zip"',
      "cache-control": "no-store",
    },
  });
}
