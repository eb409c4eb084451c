import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import JSZip from "jszip";
import { afterAll, describe, expect, test } from "vitest";
import { type ZipEntry, zipFiles, zipStream } from "../../src/fs/zip.ts";

const when = Date.UTC(2026, 10, 21, 20, 11, 20);

/** `name=text name=text …`, all of one time. */
function files(spec: string): ZipEntry[] {
  return spec.split(" ").map((each) => {
    const [path = "", text = ""] = each.split("=");
    return { path, bytes: new TextEncoder().encode(text), mtime: when };
  });
}

/** Bytes that do not pack. */
function noise(size: number, seed = 1): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: size }, () => (state = (state * 48_271) % 2_147_483_647) & 255);
}

const folder = mkdtempSync(join(tmpdir(), "zip-"));
afterAll(() => rmSync(folder, { recursive: true }));

function saved(bytes: Uint8Array): string {
  const path = join(folder, "a.zip");
  writeFileSync(path, bytes);
  return path;
}

const mixed = [
  ...files("vibey/doc-main.md=# Main index.html=<p> src/a/b.js=1 Übung/über=ü 日本.txt=本 .git/HEAD=ref __proto__=x empty="),
  { path: "image.png", bytes: noise(70_000), mtime: when },
];

describe("what is in the zip", () => {
  test("is what went in, and nothing besides", async () => {
    const zip = await JSZip.loadAsync(await zipFiles(mixed), { checkCRC32: true });
    const entries = Object.values(zip.files);
    expect(entries.map((entry) => entry.name)).toEqual(mixed.map(({ path }) => path).toSorted());
    for (const { path, bytes } of mixed) expect(await zip.file(path)?.async("uint8array")).toEqual(bytes);
    for (const entry of entries) expect(entry.date).toEqual(new Date(when));
  });

  test("an empty list gives an empty zip", async () => {
    expect(Object.keys((await JSZip.loadAsync(await zipFiles([]))).files)).toEqual([]);
  });

  test.each([
    ["before 1980", 0, "1980-01-01T00:00:00.000Z"],
    ["after 2107", Date.UTC(2200, 0, 1), "2107-12-31T23:59:58.000Z"],
    ["odd seconds", Date.UTC(2026, 0, 2, 3, 4, 5, 678), "2026-01-02T03:04:04.000Z"],
  ])("a time with %s becomes one that the format knows", async (_what, mtime, expected) => {
    const zip = await JSZip.loadAsync(await zipFiles([{ path: "a", bytes: new Uint8Array(), mtime }]));
    expect(zip.file("a")?.date.toISOString()).toBe(expected);
  });

  test("two entries with one path throw", async () => {
    await expect(zipFiles(files("a=1 a=2"))).rejects.toThrow("two entries of a zip are named a");
  });
});

describe("the bytes", () => {
  test("are the same in whatever order the files come", async () => {
    expect(await zipFiles(mixed.toReversed())).toEqual(await zipFiles(mixed));
  });

  test.each(["Pacific/Auckland", "America/Los_Angeles"])("are the same in %s", async (zone) => {
    const before = process.env["TZ"];
    const here = await zipFiles(mixed);
    try {
      process.env["TZ"] = zone;
      expect(await zipFiles(mixed)).toEqual(here);
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  });

  test("are smaller than the files where they can be", async () => {
    expect((await zipFiles([{ path: "a.txt", bytes: new Uint8Array(100_000), mtime: when }])).length).toBeLessThan(1_000);
  });
});

describe("other programs", () => {
  const unzip = spawnSync("unzip", ["-v"]).status === 0;
  test.skipIf(!unzip)("unzip finds no fault in it", async () => {
    const { status, stdout, stderr } = spawnSync("unzip", ["-t", saved(await zipFiles(mixed))], { encoding: "utf8" });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toContain("No errors detected");
  });

  const python = spawnSync("python3", ["--version"]).status === 0;
  test.skipIf(!python)("Python reads the same names and texts", async () => {
    const script =
      "import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(json.dumps([[i.filename, z.read(i).hex()] for i in z.infolist()]))";
    const { stdout, stderr } = spawnSync("python3", ["-c", script, saved(await zipFiles(mixed))], {
      encoding: "utf8",
      env: { ...process.env, PYTHONIOENCODING: "utf-8" },
    });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual(
      mixed.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, bytes }) => [path, Buffer.from(bytes).toString("hex")]),
    );
  });
});

describe("on the way", () => {
  const big = Array.from({ length: 40 }, (_, at) => ({ path: `${at}.bin`, bytes: noise(60_000, at + 1), mtime: when }));

  test("progress grows from 0 to 1", async () => {
    const parts: number[] = [];
    await zipFiles(big, { onProgress: (part) => parts.push(part) });
    expect(parts.length).toBeGreaterThan(10);
    expect(parts).toEqual(parts.toSorted((a, b) => a - b));
    expect(parts.at(-1)).toBe(1);
  });

  test("a zip that was stopped before it began rejects with the signal's reason", async () => {
    const reason = new Error("no more");
    await expect(zipFiles(big, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test("a zip that is stopped half-way rejects with the signal's reason, and reports nothing more", async () => {
    const controller = new AbortController();
    const reason = new Error("no more");
    let reports = 0;
    const zip = zipFiles(big, {
      signal: controller.signal,
      onProgress: () => {
        if (++reports === 3) controller.abort(reason);
      },
    });
    await expect(zip).rejects.toBe(reason);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reports).toBe(3);
  });

  test("a slow reader holds the zip back", async () => {
    let last = 0;
    const reader = zipStream(big, { onProgress: (part) => (last = part) }).getReader();
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(last).toBeLessThan(0.2);
    await reader.cancel();
  });
});
