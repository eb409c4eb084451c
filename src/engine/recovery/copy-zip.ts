import type { CopiedFile } from "../../fs/copy/contents.ts";
import { zipStream } from "../../fs/zip/write.ts";

/** A zip of what a copy holds. `close` is called when it is made, or nobody wants it any more. */
export function copyZip(files: readonly CopiedFile[], content: (file: CopiedFile) => Uint8Array, close: () => void): Response {
  const entries = files.map((file) => ({ path: file.path, mtime: file.mtime, read: async () => content(file) }));
  const reader = zipStream(entries).getReader();
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
