import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { exportFiles } from "../../../src/fs/history/export-files.ts";
import type { History, NewFile } from "../../../src/fs/history/history.ts";
import type { CommitRecord, HistoryStore } from "../../../src/fs/history/store.ts";
import { path } from "../notation.ts";

export const human = { name: "Human", address: "human@vibey.invalid" };

let version = 0;

/** A file for a commit; null: it was removed. */
export function newFile(name: string, content: string | Uint8Array | null): NewFile {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  version += 1;
  const stat = { path: path(name), version, mtime: version, size: bytes?.length ?? 0 };
  return { path: path(name), read: async () => (bytes ? { ...stat, bytes } : "removed") };
}

export async function commitFiles(
  history: History,
  contents: Readonly<Record<string, string | Uint8Array | null>>,
  summary = "change",
): Promise<CommitRecord | null> {
  const done = await history.commit({
    author: human,
    time: 1_760_000_000_000 + version * 1000,
    summary: () => summary,
    trailers: [["Dialog", "20261121-201100-game"]],
    files: Object.entries(contents).map(([name, content]) => newFile(name, content)),
    notes: [],
  });
  if (!done.ok) throw new Error(done.failure.kind);
  return done.record;
}

/** The text of every file in a commit. */
export async function textsAt(history: History, record: CommitRecord): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [name, oid] of await history.filesAt(record))
    texts[name] = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await history.bytes(oid));
  return texts;
}

/** Writes the repository into a new folder. Returns a function that runs git in it. */
export async function realGit(store: HistoryStore): Promise<(...args: string[]) => string> {
  const folder = mkdtempSync(join(tmpdir(), "vibey-history-"));
  for (const { path: name, bytes } of (await exportFiles(store, { bare: false })).files) {
    const file = join(folder, ".git", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  return (...args) => execFileSync("git", args, { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
