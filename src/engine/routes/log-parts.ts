import { StorageError } from "../../fs/storage-error.ts";
import { storageAnswer } from "./answers.ts";
import type { Handler } from "./route.ts";

/** The default and maximum number of events per page, and the UTF-16 units of JSON after which a page ends early. */
export const page = { usual: 100, most: 1_000, units: 4_000_000 } as const;

export const severities = ["info", "warning", "error"] as const;

/** If the order of events has to be rebuilt and can't be stored, that is a storage failure, not an internal error. */
export const stored =
  (handle: Handler): Handler =>
  async (call) => {
    try {
      return await handle(call);
    } catch (error) {
      if (error instanceof StorageError && (error.kind === "full" || error.kind === "broken")) return storageAnswer(error.kind);
      throw error;
    }
  };

/** Undefined if nothing was given, null if it is none of the words. */
export function oneOf<Word extends string>(words: readonly Word[], said: string | null): Word | null | undefined {
  return said === null || said === "" ? undefined : (words.find((word) => word === said) ?? null);
}

export function readLimit(said: string | null): number | null {
  if (said === null) return page.usual;
  const limit = /^\d{1,4}$/.test(said) ? Number(said) : 0;
  return limit >= 1 && limit <= page.most ? limit : null;
}

/** A JSON list to download, one item per line, created while it is read. `onLeave` is called if the reader leaves early. */
export function jsonList<Item>(items: AsyncGenerator<Item>, filename: string, onLeave: () => void): Response {
  return new Response(asJson(items, onLeave), {
    headers: {
      "content-type": "application/json",
      "content-disposition": `attachment; filename="${filename}"`,
      "cache-control": "no-store",
    },
  });
}

function asJson<Item>(events: AsyncGenerator<Item>, onLeave: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isFirst = true;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done) {
        controller.enqueue(encoder.encode(isFirst ? "[]\n" : "\n]\n"));
        controller.close();
        return;
      }
      controller.enqueue(encoder.encode(`${isFirst ? "[\n" : ",\n"}${JSON.stringify(value)}`));
      isFirst = false;
    },
    async cancel() {
      onLeave();
      await events.return(undefined);
    },
  });
}
