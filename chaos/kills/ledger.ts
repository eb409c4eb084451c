import type { Loss } from "./loss.ts";
import { checkVersion, versionOf } from "./versions.ts";

/** An acknowledgement that the page received. It reports each at once. */
export type Ack =
  | { readonly of: "file"; readonly name: string; readonly version: number }
  | { readonly of: "new"; readonly tag: string; readonly id: string }
  | { readonly of: "prompt"; readonly id: string; readonly text: string }
  | { readonly of: "asked"; readonly id: string; readonly calls: readonly string[] }
  | { readonly of: "decided"; readonly id: string; readonly decisions: readonly { readonly id: string; readonly approved: boolean }[] }
  | { readonly of: "turn"; readonly id: string; readonly content: string; readonly succeeded: readonly string[] }
  | { readonly of: "status"; readonly id: string; readonly status: string }
  | { readonly of: "removed"; readonly id: string }
  | { readonly of: "commit"; readonly id: string }
  /** `atLeast`: the acknowledged version of each file when the zip was requested. */
  | { readonly of: "zip"; readonly base64: string; readonly atLeast: Readonly<Record<string, number>> }
  /** An answer that should never occur. */
  | { readonly of: "fault"; readonly message: string };

export interface Promised {
  readonly tag: string;
  /** Milliseconds since 1970, at or shortly after the acknowledgement. */
  readonly made: number;
  prompts: string[];
  asked: Set<string>;
  decided: Map<string, boolean>;
  succeeded: Set<string>;
  contents: string[];
  status: string | null;
  removed: boolean;
}

/** Everything that was acknowledged since the profile was created. */
export interface Ledger {
  readonly files: Map<string, number>;
  /** The acknowledged versions of each file, each with its time in milliseconds since 1970, at or shortly after the acknowledgement. */
  readonly fileAcks: Map<string, { readonly version: number; readonly time: number }[]>;
  readonly dialogs: Map<string, Promised>;
  /** Dialogs that the driver was about to remove. They may or may not still exist. */
  readonly leaving: Set<string>;
  commit: string | null;
  /** The number of acknowledged writes. */
  writes: number;
  zips: number;
  readonly broken: string[];
  /** The outcome of the check after the browser deleted its database. */
  loss: Loss | null;
}

export function newLedger(): Ledger {
  return {
    files: new Map(),
    fileAcks: new Map(),
    dialogs: new Map(),
    leaving: new Set(),
    commit: null,
    writes: 0,
    zips: 0,
    broken: [],
    loss: null,
  };
}

/** Records an acknowledgement. Zips are only counted: the caller reads them, which takes time. */
export function note(ledger: Ledger, ack: Ack): void {
  if (ack.of === "fault") {
    ledger.broken.push(ack.message);
    return;
  }
  if (ack.of === "zip") {
    ledger.zips += 1;
    return;
  }
  if (ack.of === "commit") {
    ledger.commit = ack.id;
    return;
  }
  ledger.writes += 1;
  if (ack.of === "file") {
    ledger.files.set(ack.name, ack.version);
    const acks = ledger.fileAcks.get(ack.name) ?? [];
    acks.push({ version: ack.version, time: Date.now() });
    ledger.fileAcks.set(ack.name, acks);
    return;
  }
  if (ack.of === "new") {
    const fresh = { prompts: [], asked: new Set<string>(), decided: new Map(), succeeded: new Set<string>(), contents: [] };
    ledger.dialogs.set(ack.id, { tag: ack.tag, made: Date.now(), ...fresh, status: null, removed: false });
    return;
  }
  const dialog = ledger.dialogs.get(ack.id);
  if (!dialog) {
    ledger.broken.push(`${ack.of} of a dialog that nobody made: ${ack.id}`);
    return;
  }
  if (ack.of === "prompt") {
    dialog.prompts.push(ack.text);
    dialog.status = null;
  } else if (ack.of === "asked") for (const id of ack.calls) dialog.asked.add(id);
  else if (ack.of === "decided") for (const { id, approved } of ack.decisions) dialog.decided.set(id, approved);
  else if (ack.of === "turn") {
    dialog.contents.push(ack.content);
    for (const id of ack.succeeded) dialog.succeeded.add(id);
  } else if (ack.of === "status") dialog.status = ack.status;
  else dialog.removed = true;
}

/** Checks the versioned files in a zip: each whole, and at least as new as when the zip was requested. */
export function checkZip(contents: ReadonlyMap<string, string>, atLeast: Readonly<Record<string, number>>): string[] {
  return Object.entries(atLeast).flatMap(([name, acknowledged]) => {
    const text = contents.get(name.endsWith(".md") ? `vibey/${name}` : name);
    if (text === undefined) {
      const problem = name.endsWith(".md") && acknowledged > 0;
      return problem ? [`a zip lacks ${name}`] : [];
    }
    const version = versionOf(name, text);
    if (typeof version === "string") return [`in a zip ${version}`];
    return version < acknowledged ? [`a zip has version ${version} of ${name}; ${acknowledged} was acknowledged`] : [];
  });
}

/** Compares the files found with what was acknowledged. The next writes continue from the versions found. */
export function checkFiles(ledger: Ledger, found: Readonly<Record<string, string | null>>): string[] {
  const broken: string[] = [];
  for (const [name, text] of Object.entries(found)) {
    const version = checkVersion(name, text, ledger.files.get(name) ?? 0);
    if (typeof version === "string") broken.push(version);
    else ledger.files.set(name, version);
  }
  return broken;
}
