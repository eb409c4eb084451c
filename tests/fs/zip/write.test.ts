import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import JSZip from "jszip";
import { afterAll, describe, expect, test } from "vitest";
import { joinBytes } from "../../../src/fs/bytes.ts";
import { type ZipEntry, type ZipOptions, zipStream } from "../../../src/fs/zip/write.ts";
import { opened } from "./build.ts";

const when = Date.UTC(2026, 10, 21, 20, 11, 20);

function entry(path: string, content: string | Uint8Array, mtime = when): ZipEntry & { readonly bytes: Uint8Array } {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { path, mtime, bytes, read: async () => bytes };
}

/** `name=text name=text …`, all with the same time. */
function files(spec: string) {
  return spec.split(" ").map((each) => {
    const [path = "", text = ""] = each.split("=");
    return entry(path, text);
  });
}

async function zipped(entries: readonly ZipEntry[], options: ZipOptions = {}): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const reader = zipStream(entries, options).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value);
  return joinBytes(pieces);
}

/** Bytes that don't compress. */
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
  entry("image.png", noise(70_000)),
  entry("large.txt", "all work and no play ".repeat(40_000)),
];

describe("what is in the zip", () => {
  test("is what went in, and nothing besides", async () => {
    const zip = await JSZip.loadAsync(await zipped(mixed), { checkCRC32: true });
    const entries = Object.values(zip.files);
    expect(entries.map((one) => one.name)).toEqual(mixed.map(({ path }) => path).toSorted());
    for (const { path, bytes } of mixed) expect(await zip.file(path)?.async("uint8array")).toEqual(bytes);
    for (const one of entries) expect(one.date).toEqual(new Date(when));
  });

  test("our own reader finds no fault in it, not in one that says little at great length either", async () => {
    expect(await opened(await zipped([...mixed, entry("zeros", new Uint8Array(3_000_000))], { comment: "about" }))).toMatch(
      /^\.git\/HEAD=ref .*zeros=/s,
    );
  });

  test("an empty list gives an empty zip", async () => {
    expect(Object.keys((await JSZip.loadAsync(await zipped([]))).files)).toEqual([]);
  });

  test.each([
    ["before 1980", 0, "1980-01-01T00:00:00.000Z"],
    ["after 2107", Date.UTC(2200, 0, 1), "2107-12-31T23:59:58.000Z"],
    ["odd seconds", Date.UTC(2026, 0, 2, 3, 4, 5, 678), "2026-01-02T03:04:04.000Z"],
  ])("a time with %s becomes one that the format knows", async (_what, mtime, expected) => {
    const zip = await JSZip.loadAsync(await zipped([entry("a", "", mtime)]));
    expect(zip.file("a")?.date.toISOString()).toBe(expected);
  });

  test("two entries with one path throw", () => {
    expect(() => zipStream(files("a=1 a=2"))).toThrow("two entries of a zip are named a");
  });

  test("more entries than the format has numbers for throw before one is read", () => {
    expect(() => zipStream(Array.from({ length: 65_535 }, (_, at) => entry(`${at}`, "")))).toThrow("a zip has no room for more than 65534");
  });

  test("a file that is gone when its turn comes is left out", async () => {
    const gone: ZipEntry = { path: "b", mtime: when, read: async () => null };
    expect(await opened(await zipped([...files("a=1 c=3"), gone]))).toBe("a=1 c=3");
  });
});

describe("the bytes", () => {
  test("are the same in whatever order the files come", async () => {
    expect(await zipped(mixed.toReversed())).toEqual(await zipped(mixed));
  });

  test("are the same in another time zone", async () => {
    const zone = "Pacific/Auckland";
    const before = process.env["TZ"];
    const here = await zipped(mixed);
    try {
      process.env["TZ"] = zone;
      expect(await zipped(mixed)).toEqual(here);
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  });

  test("are fewer than those of the files where they can be", async () => {
    expect((await zipped([entry("a.txt", Array.from({ length: 5_000 }, (_, at) => `line ${at}\n`).join(""))])).length).toBeLessThan(20_000);
  });
});

describe("other programs", () => {
  const unzip = spawnSync("unzip", ["-v"]).status === 0;
  test.skipIf(!unzip)("unzip finds no fault in it", async () => {
    const { status, stdout, stderr } = spawnSync("unzip", ["-t", saved(await zipped(mixed))], { encoding: "utf8" });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toContain("No errors detected");
  });

  test.skipIf(!unzip)("unzip gives the files the same names, whatever letters are in them, and none may be run", async () => {
    const names = [
      "plain.txt",
      "\u00fcber/stra\u00dfe.txt",
      "\u65e5\u672c.md",
      ".g\u200cit",
      ".env\u200crc",
      "g\u0131t",
      "\u055f",
      "\u{1f9d1}\u200d\u{1f680}",
    ];
    const place = mkdtempSync(join(tmpdir(), "vibey-unzip-"));
    spawnSync("unzip", ["-q", "-d", place, saved(await zipped(names.map((name) => entry(name, name))))]);
    const found = readdirSync(place, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const paths = found.map(({ parentPath, name }) => join(parentPath, name));
    expect(paths.map((path) => relative(place, path)).toSorted()).toEqual(names.toSorted());
    for (const path of paths) expect(statSync(path).mode & 0o111).toBe(0);
    rmSync(place, { recursive: true });
  });

  const python = spawnSync("python3", ["--version"]).status === 0;
  test.skipIf(!python)("Python reads the same names and texts", async () => {
    const script =
      "import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(json.dumps([[i.filename, z.read(i).hex()] for i in z.infolist()]))";
    const { stdout, stderr } = spawnSync("python3", ["-c", script, saved(await zipped(mixed))], {
      encoding: "utf8",
      maxBuffer: 1e8,
      env: { ...process.env, PYTHONIOENCODING: "utf-8" },
    });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual(
      mixed.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, bytes }) => [path, Buffer.from(bytes).toString("hex")]),
    );
  });
});

describe("on the way", () => {
  const big = Array.from({ length: 40 }, (_, at) => entry(`${at}.bin`, noise(60_000, at + 1)));

  test("progress grows up to the bytes of all files", async () => {
    const bytes: number[] = [];
    await zipped(big, { onProgress: (done) => bytes.push(done) });
    expect(bytes).toEqual(Array.from({ length: 40 }, (_, at) => 60_000 * (at + 1)));
  });

  test("one that was stopped before it began fails with the signal's reason", async () => {
    const reason = new Error("no more");
    await expect(zipped(big, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test("one that is stopped half-way fails with the signal's reason, in the middle of a large file too", async () => {
    for (const entries of [big, [entry("one", noise(5_000_000))]]) {
      const controller = new AbortController();
      const reason = new Error("no more");
      const zip = zipped(
        entries.map((each) => ({ ...each, read: async () => (setTimeout(() => controller.abort(reason), 0), each.read()) })),
        { signal: controller.signal },
      );
      await expect(zip).rejects.toBe(reason);
    }
  });

  test("a slow reader holds it back: no file is read before it is asked for", async () => {
    let reads = 0;
    const reader = zipStream(big.map((each) => ({ ...each, read: () => ((reads += 1), each.read()) }))).getReader();
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reads).toBe(1);
    await reader.cancel();
  });
});
