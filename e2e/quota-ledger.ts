import JSZip from "jszip";
import type { App, Asked } from "./app.ts";

/** What was acknowledged while the storage filled up, and whether it is there. */

const kinds = ["doc", "file", "zip", "prompt", "turn"] as const;
export type Kind = (typeof kinds)[number];

export interface Ledger {
  /** What was acknowledged, by its path in a zip. */
  readonly files: Map<string, string>;
  /** Texts that have to stand in the file of a dialog. */
  readonly dialogs: { readonly id: string; readonly texts: readonly string[] }[];
  readonly kept: Record<Kind, number>;
  readonly refused: Record<Kind, number>;
  /** Promises that were not kept, in words that lead to them. */
  readonly broken: string[];
}

export interface Stage {
  readonly app: App;
}

const none = (): Record<Kind, number> => ({ doc: 0, file: 0, zip: 0, prompt: 0, turn: 0 });
export const newLedger = (): Ledger => ({ files: new Map(), dialogs: [], kept: none(), refused: none(), broken: [] });
export const everyKindWasRefused = ({ refused }: Ledger) => kinds.every((kind) => refused[kind] > 0);
export const sum = (counts: Readonly<Record<Kind, number>>) => kinds.reduce((all, kind) => all + counts[kind], 0);

/** Notes an answer; true when it acknowledges what was asked. It may refuse for want of room alone, and has to say so. */
export function note(ledger: Ledger, kind: Kind, { status, text }: Asked): boolean {
  if (status === 200) {
    ledger.kept[kind] += 1;
    return true;
  }
  ledger.refused[kind] += 1;
  if (status !== 507 || !/storage is full/i.test(text)) ledger.broken.push(`${kind}: answered ${status} ${text.slice(0, 300)}`);
  return false;
}

/** Looks for all that was acknowledged. */
export async function check({ app }: Stage, ledger: Ledger, when: string): Promise<void> {
  const missing = (what: string) => ledger.broken.push(`${when}: ${what}`);
  for (const [path, content] of ledger.files) {
    const doc = path.startsWith("vibey/");
    const { status, text } = await app.ask("GET", doc ? path.replace("vibey/", "file/") : `deed/${path}`);
    const there = status !== 200 ? null : doc ? (JSON.parse(text) as { content: string }).content : text;
    if (there !== content)
      missing(`${path} has ${there?.length ?? "no"} letters, not the ${content.length} that were acknowledged (${status})`);
  }
  for (const { id, texts } of ledger.dialogs) {
    const { status, text } = await app.ask("GET", `dialog/${id}`);
    const file = status === 200 ? (JSON.parse(text) as { markdown: string }).markdown : "";
    for (const each of texts) if (!file.includes(each)) missing(`the dialog ${id} has lost “${each.slice(0, 40)}…” (${status})`);
  }
}

/** A zip that is taken now has all of it. */
export async function checkZip({ app }: Stage, ledger: Ledger, when: string): Promise<void> {
  const base64 = await app.page.evaluate(async () => {
    const bytes = new Uint8Array(await (await fetch("project.zip?scope=all")).arrayBuffer());
    let letters = "";
    for (let at = 0; at < bytes.length; at += 30_000) letters += String.fromCharCode(...bytes.subarray(at, at + 30_000));
    return btoa(letters);
  });
  const zip = await JSZip.loadAsync(base64, { base64: true, checkCRC32: true });
  for (const [path, content] of ledger.files)
    if ((await zip.file(path)?.async("string")) !== content)
      ledger.broken.push(`${when}: the zip has not the ${path} that was acknowledged`);
}
