import { listDeed, writeDeed } from "../model/api/calls.ts";
import * as t from "../texts/attach.ts";

/** Text files up to this many UTF-16 units are quoted in the message. Longer files, and files that aren't text, go into the project. */
const maxQuoteLength = 8_000;

/** A file's text as a quote in a message: its name, and a fence longer than any in the text. */
export function quoted(name: string, text: string): string {
  if (text.trim() === "") return t.isEmpty(code(name));
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const [, kind = ""] = /\.([A-Za-z0-9]{1,12})$/.exec(name) ?? [];
  return `${code(name)}:\n\n${fence}${kind.toLowerCase()}\n${text.replace(/\r\n?/g, "\n").replace(/\n$/, "")}\n${fence}`;
}

/** A name that no file of the project has: `data.csv`, then `data-2.csv`. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}\\/:*?"<>|]/gu, "-").replace(/^[.\s]+|[.\s]+$/g, "") || "file";
  const [, stem = plain, ending = ""] = /^(.+?)(\.[^.]{1,12})?$/.exec(plain) ?? [];
  // On many machines, names that differ only in case would be the same file.
  const lower = new Set(Array.from(taken, (one) => one.toLowerCase()));
  for (let nth = 1; ; nth++) {
    const candidate = nth === 1 ? plain : `${stem}-${nth}${ending}`;
    if (!lower.has(candidate.toLowerCase())) return candidate;
  }
}

/** The bytes as text; null if they aren't text. */
export function textOf(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

export type Attached = { readonly ok: true; readonly words: string } | { readonly ok: false; readonly message: string };

let before: Promise<unknown> = Promise.resolve();

/**
 * The words that a message uses for a file dropped into it. A long file, or one that isn't text, is written into the project under a free name. Files
 * are attached one at a time, so that two at once can't choose the same name.
 */
export function attach(file: File): Promise<Attached> {
  const attached = before.then(() => attachNow(file));
  before = attached.catch(() => undefined);
  return attached;
}

async function attachNow(file: File): Promise<Attached> {
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch (error) {
    return { ok: false, message: t.notRead(file.name, error instanceof Error ? error.message : String(error)) };
  }
  const text = textOf(bytes);
  if (text !== null && text.length <= maxQuoteLength) return { ok: true, words: quoted(file.name, text) };
  const deed = await listDeed();
  if (!deed.ok) return { ok: false, message: t.notTaken(file.name, deed.message) };
  const path = freeName(file.name, new Set(deed.value.map((one) => one.path)));
  const stored = await writeDeed(path, bytes);
  if (!stored.ok) return { ok: false, message: t.notTaken(file.name, stored.message) };
  return { ok: true, words: t.isInProject(code(path)) };
}

/** A name as inline code, whatever characters it contains. */
function code(name: string): string {
  const line = name.replace(/[\p{Cc}\u2028\u2029]/gu, " ");
  if (!line.includes("`")) return `\`${line}\``;
  const mark = "`".repeat(Math.max(...Array.from(line.matchAll(/`+/g), ([run]) => run.length)) + 1);
  return `${mark} ${line} ${mark}`;
}
