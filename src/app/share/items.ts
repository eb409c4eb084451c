import { mainDoc } from "../docs/names.ts";
import { docFilename } from "../docs/new-doc.ts";
import type { Arrival } from "./inbox.ts";

/** One item of what was shared, and what it can become. */
export type Item =
  /** It can become a doc, or the beginning of a dialog. */
  | { readonly kind: "text"; readonly arrival: number; readonly name: string; readonly text: string }
  | { readonly kind: "zip"; readonly arrival: number; readonly name: string; readonly file: File }
  /** It can become a file of the deed. */
  | { readonly kind: "file"; readonly arrival: number; readonly name: string; readonly file: File };

/** The maximum size of a file that is read as text, in bytes. A larger file becomes a file of the deed. */
const maxText = 2_000_000;

export async function itemsOf({ id, title, text, files }: Arrival): Promise<readonly Item[]> {
  const items: Item[] = [];
  const said = text === "" ? title : text;
  // A text that is too long for a doc is treated like a file.
  if (said.length > maxText) items.push({ kind: "file", arrival: id, name: `${nameFrom(title)}.txt`, file: new File([said], "") });
  else if (said !== "") items.push({ kind: "text", arrival: id, name: nameFrom(title), text: said });
  for (const file of files) {
    const read = /\.zip$/i.test(file.name) ? null : await readText(file);
    if (/\.zip$/i.test(file.name)) items.push({ kind: "zip", arrival: id, name: file.name, file });
    else if (read === null) items.push({ kind: "file", arrival: id, name: file.name, file });
    else items.push({ kind: "text", arrival: id, name: nameFrom(file.name.replace(/\.[^.]*$/, "")), text: read });
  }
  return items;
}

/** The text of a file; null if it isn't text, or too long. */
async function readText(file: File): Promise<string | null> {
  if (file.size > maxText) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** A valid name for a doc, as close as possible to the given one. Never main's: any site can share a text, and main has authority lines. */
export function nameFrom(called: string): string {
  const plain = called
    .slice(0, 1_000)
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  const answer = docFilename(plain);
  return answer.ok && answer.name !== mainDoc ? plain : "shared";
}
