import type { Heard } from "../model/api/events.ts";
import { readDeed, readFile, writeDeed, writeFile, type Answer } from "../model/api/calls.ts";
import type { FileRef } from "../model/route.ts";

export type Content =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly bytes: ArrayBuffer; readonly type: string }
  | { readonly kind: "binary"; readonly bytes: ArrayBuffer };

/** The maximum size of a file of the project that is still shown as text, in bytes. */
const maxTextLength = 2_000_000;

const images: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
};

export async function readContent(ref: FileRef): Promise<Answer<Content>> {
  if (ref.kind === "doc") {
    const answer = await readFile(ref.name);
    return answer.ok ? { ...answer, value: { kind: "text", text: answer.value.content } } : answer;
  }
  const answer = await readDeed(ref.path);
  return answer.ok ? { ...answer, value: contentOf(ref.path, answer.value) } : answer;
}

/** The content of a file, according to its name and to whether its bytes are valid UTF-8 without NUL. */
export function contentOf(path: string, bytes: ArrayBuffer): Content {
  const type = images[path.split(".").at(-1)?.toLowerCase() ?? ""];
  if (type !== undefined) return { kind: "image", bytes, type };
  if (bytes.byteLength > maxTextLength) return { kind: "binary", bytes };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? { kind: "binary", bytes } : { kind: "text", text };
  } catch (error) {
    if (error instanceof TypeError) return { kind: "binary", bytes };
    throw error;
  }
}

export const writeText = (ref: FileRef, text: string, etag: string | null): Promise<Answer<unknown>> =>
  ref.kind === "doc" ? writeFile(ref.name, text, etag) : writeDeed(ref.path, text, etag);

/** Whether the file may have changed with this event. */
export const concerns = (event: Heard, file: FileRef): boolean =>
  event.type === "hello" ||
  (event.type === "file" && file.kind === "doc" && event.data.name === file.name) ||
  (event.type === "deed" && file.kind === "deed" && event.data.path === file.path);
