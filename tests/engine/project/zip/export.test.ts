import JSZip from "jszip";
import { expect, test, vi } from "vitest";
import type { Files, FileStat } from "../../../../src/fs/files.ts";
import { memoryFiles } from "../../../../src/fs/memory.ts";
import { mostEntries } from "../../../../src/fs/zip/write.ts";
import { exportProject, tooManyInstalled } from "../../../../src/engine/project/zip/export.ts";
import { limits } from "../../../../src/protocol/limits.ts";
import { path } from "../../../fs/notation.ts";
import { damagedFiles } from "../../damaged-files.ts";

const active = "vibey/dialog-20261122-100000-000-play-active.md";
const waiting = "vibey/dialog-20261122-100000-000-play-waiting.md";

async function project(contents: Readonly<Record<string, string>>): Promise<Files> {
  const files = memoryFiles({ now: () => 0 });
  const changes = Object.entries(contents).map(([name, data]) => ({ op: "write", path: path(name), data }) as const);
  await files.commit(changes, { durability: "strict" });
  return files;
}

function begin(files: Pick<Files, "list" | "readMany">, packages = true) {
  const warnings: string[] = [];
  const warn = (warning: string): void => void warnings.push(warning);
  const exported = exportProject("all", {
    files,
    history: null,
    asTheyAre: false,
    packages,
    signal: new AbortController().signal,
    onProgress: vi.fn<() => void>(),
    warn,
  });
  return { exported, warnings };
}

async function contentsOf(zip: ReadableStream<Uint8Array>): Promise<Record<string, string>> {
  const { files } = await JSZip.loadAsync(await new Response(zip as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
  return Object.fromEntries(await Promise.all(Object.values(files).map(async (file) => [file.name, await file.async("text")] as const)));
}

test("a dialog that changes its status while it is exported is in the zip; what is deleted or renamed meanwhile is named", async () => {
  const files = await project({ [active]: "said", "vibey/doc-main.md": "main", a: "1", b: "2" });
  const { exported, warnings } = begin(files);
  const made = await exported;
  if (!made.ok) throw new Error(made.why);
  await files.commit(
    [
      { op: "rename", from: path(active), to: path(waiting) },
      { op: "rename", from: path("a"), to: path("c") },
    ],
    { durability: "strict" },
  );
  expect(await contentsOf(made.zip)).toEqual({ [active]: "said", "vibey/doc-main.md": "main", b: "2" });
  expect(warnings).toEqual(["Not in the zip because they were deleted or renamed while it was made: a."]);
});

test("a damaged file keeps no other from being exported, and is named", async () => {
  const { exported, warnings } = begin(damagedFiles(await project({ a: "1", b: "2", "c/package.json": "{}" }), ["b"]));
  const made = await exported;
  if (!made.ok) throw new Error(made.why);
  expect(await contentsOf(made.zip)).toEqual({ a: "1", "c/package.json": "{}" });
  expect(warnings).toEqual(["Not in the zip because they're damaged and can't be read: b. The backup may have them."]);
});

test("more files than a zip has room for are refused before one of them is read", async () => {
  const files = Array.from(
    { length: mostEntries },
    (_, at): FileStat => ({ path: path(`node_modules/a/${at}.js`), size: 1, mtime: 0, version: 1 }),
  );
  const readMany = vi.fn<Files["readMany"]>();
  const { exported } = begin({ list: async () => [...files, { path: path("a"), size: 1, mtime: 0, version: 1 }], readMany });
  expect(await exported).toEqual({
    ok: false,
    why: "A zip has room for 65,534 files, and this one would hold 65,535. 65,534 of them are installed packages, which can be left out.",
  });
  expect(readMany).not.toHaveBeenCalled();
});

test("installed packages can be left out, where all files are more than Vibey can import", async () => {
  const files = await project({ a: "1", "node_modules/b/index.js": "2", "c/node_modules/d/index.js": "3" });
  const made = await begin(files, false).exported;
  if (!made.ok) throw new Error(made.why);
  expect(await contentsOf(made.zip)).toEqual({ a: "1" });
  expect(await tooManyInstalled("all", files)).toBe(0);
  const stat = (name: string): FileStat => ({ path: path(name), size: 1, mtime: 0, version: 1 });
  const many = Array.from({ length: limits.importEntries }, (_, at) => stat(`node_modules/a/${at}.js`));
  expect(await tooManyInstalled("all", { list: async () => [...many, stat("a")] })).toBe(limits.importEntries);
  expect(await tooManyInstalled("docs", { list: async () => [...many, stat("a")] })).toBe(0);
});
