import JSZip from "jszip";
import type { App, Asked } from "./app.ts";

/** What was acknowledged while the storage filled up, and checks that it is still there. */

const kinds = ["doc", "file", "zip", "prompt", "turn"] as const;
export type Kind = (typeof kinds)[number];

export interface Ledger {
  /** The acknowledged texts, by their paths in a zip. */
  readonly files: Map<string, string>;
  /** Texts that must be in a dialog's file. */
  readonly dialogs: { readonly id: string; readonly texts: readonly string[] }[];
  readonly kept: Record<Kind, number>;
  readonly refused: Record<Kind, number>;
  /** Broken promises, described so that they can be found. */
  readonly broken: string[];
}

export interface Stage {
  readonly app: App;
}

const none = (): Record<Kind, number> => ({ doc: 0, file: 0, zip: 0, prompt: 0, turn: 0 });
export const newLedger = (): Ledger => ({ files: new Map(), dialogs: [], kept: none(), refused: none(), broken: [] });
export const everyKindWasRefused = ({ refused }: Ledger) => kinds.every((kind) => refused[kind] > 0);
export const sum = (counts: Readonly<Record<Kind, number>>) => kinds.reduce((all, kind) => all + counts[kind], 0);

/** Records an answer. Returns whether it acknowledges the request. A refusal is allowed only if the storage is full, and must say so. */
export function note(ledger: Ledger, kind: Kind, { status, text }: Asked): boolean {
  if (status === 200) {
    ledger.kept[kind] += 1;
    return true;
  }
  ledger.refused[kind] += 1;
  if (status !== 507 || !/storage is full/i.test(text)) ledger.broken.push(`${kind}: answered ${status} ${text.slice(0, 300)}`);
  return false;
}

/** Checks that everything acknowledged is there. */
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

/** Checks that a zip exported now contains everything acknowledged. */
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
