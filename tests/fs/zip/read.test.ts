import { deflateRawSync } from "node:zlib";
import * as fc from "fast-check";
import JSZip from "jszip";
import { expect, test } from "vitest";
import { crc32 } from "../../../src/fs/zip/crc32.ts";
import { lawRuns } from "../../law-runs.ts";
import { type Made, makeZip, opened, u32 } from "./build.ts";

const honest: Made = { name: "ok.txt", text: "fine" };
/** The attributes of a Unix file of this type. */
const unix = (type: number) => (type << 16) >>> 0;

test("an honest archive is read: packed and stored, folders, empty files, names in UTF-8, with and without a descriptor", async () => {
  const text = "hello hello hello";
  const facts = u32(crc32(new TextEncoder().encode(text)), deflateRawSync(text).length, text.length);
  const later = { flags: 0x808, local: { crc: 0, size: 0, packedSize: 0 } };
  const zip = makeZip([
    { name: "src/" },
    { name: "src/a.js", text: "1" },
    { name: "Ü.txt", text: "stored", method: 0 },
    { name: "ohne-Flagge-ü", text: "", flags: 0 },
    { name: "later", text, ...later, descriptor: Buffer.concat([u32(0x08074b50), facts]) },
    { name: "later2", text, ...later, descriptor: facts },
    { name: "mode", text: "x", attributes: unix(0o100644) },
  ]);
  expect(await opened(zip)).toBe("src/a.js=1 Ü.txt=stored ohne-Flagge-ü= later=hello hello hello later2=hello hello hello mode=x");
  expect(await opened(makeZip([], { comment: "nothing" }))).toBe("");
});

test("a decomposed name, as a Mac writes it, becomes a composed one", async () => {
  expect(await opened(makeZip([{ name: "u\u0308.txt", text: "x" }]))).toBe("ü.txt=x");
});

test("what JSZip makes is read", async () => {
  const zip = new JSZip();
  zip.file("a/b.txt", "x".repeat(1000));
  for (const streamFiles of [true, false])
    expect(await opened(await zip.generateAsync({ type: "uint8array", compression: "DEFLATE", streamFiles }))).toBe(
      `a/b.txt=${"x".repeat(20)}`,
    );
});

const stored = (text: string): Made => ({ name: "x", text, method: 0 });

const hostile: readonly (readonly [what: string, entries: readonly Made[], refusal: string])[] = [
  ["a way out of the folder", [honest, { name: "../evil.txt" }], "unsafe-name ../evil.txt"],
  ["a way out in the middle", [{ name: "a/../../evil" }], "unsafe-name a/../../evil"],
  ["a way out that comes back", [{ name: "a/../b" }], "unsafe-name a/../b"],
  ["a way out with backslashes", [{ name: "..\\evil" }], "unsafe-name ..\\evil"],
  ["a way out with spaces", [{ name: ".. /evil" }], "unsafe-name .. /evil"],
  ["a way out behind characters that do not show", [{ name: ".\u200b./evil" }], "unsafe-name .\u200b./evil"],
  ["a folder that leads out", [{ name: "../" }], "unsafe-name ../"],
  ["an absolute name", [{ name: "/etc/passwd" }], "unsafe-name /etc/passwd"],
  ["the letter of a drive", [{ name: "C:/Windows/x" }], "unsafe-name C:/Windows/x"],
  ["the letter of a drive, and backslashes", [{ name: "C:\\x" }], "unsafe-name C:\\x"],
  ["a NUL in a name", [{ name: "a\0b" }], "unsafe-name a\0b"],
  ["no name", [{ name: "" }], "unsafe-name "],
  ["an empty segment", [{ name: "a//b" }], "unsafe-name a//b"],
  ["a dot as a segment", [{ name: "./a" }], "unsafe-name ./a"],
  ["a name that is only dots", [{ name: "..." }], "unsafe-name ..."],
  ["a name that is too long", [{ name: "x".repeat(1100) }], `unsafe-name ${"x".repeat(1100)}`],
  ["a name that is no UTF-8", [{ name: Uint8Array.of(0xff, 0x41) }], "unsafe-name \ufffdA"],
  [
    "a second name in another field",
    [{ name: "a", extra: Buffer.concat([Uint8Array.of(0x75, 0x70, 6, 0, 1, 0, 0, 0, 0), Buffer.from("b")]) }],
    "unsafe-name a",
  ],
  [
    "a name twice",
    [
      { name: "a", text: "1" },
      { name: "a", text: "2" },
    ],
    "same-name a",
  ],
  ["case twins", [{ name: "README.md" }, { name: "readme.md" }], "same-name readme.md"],
  ["case twins beyond ASCII", [{ name: "STRASSE" }, { name: "straße" }], "same-name straße"],
  ["twins by composition", [{ name: "ü" }, { name: "u\u0308" }], "same-name u\u0308"],
  ["twins by a dot at the end", [{ name: "a" }, { name: "a." }], "same-name a."],
  ["a file and a folder of one name", [{ name: "a" }, { name: "a/b" }], "same-name a"],
  ["a file and an empty folder of one name", [{ name: "A" }, { name: "a/" }], "same-name A"],
  ["a symbolic link", [honest, { name: "link", text: "/etc/passwd", attributes: unix(0o120777) }], "link link"],
  ["a device", [{ name: "null", attributes: unix(0o020666) }], "link null"],
  ["a folder that is no folder by its name", [{ name: "a", attributes: unix(0o040755) }], "link a"],
  ["a link of Windows", [{ name: "junction", attributes: 0x400 }], "link junction"],
  ["an encrypted entry", [honest, { name: "secret", flags: 0x801 }], "encrypted secret"],
  ["a strongly encrypted entry", [{ name: "secret", flags: 0x841 }], "encrypted secret"],
  ["a method that says encrypted", [{ name: "secret", method: 99 }], "encrypted secret"],
  ["a method that nobody knows", [{ name: "x", method: 12 }], "not-a-zip x"],
  ["a checksum that is wrong", [honest, { name: "bad", text: "hello", crc: 1 }], "checksum bad"],
  ["a stored entry whose checksum is wrong", [{ name: "bad", text: "hello", method: 0, crc: 1 }], "checksum bad"],
  ["contents that are longer than said", [{ name: "x", text: "hello hello", size: 5 }], "lies x"],
  ["contents that are shorter than said", [{ name: "x", text: "hello", size: 50 }], "lies x"],
  ["sizes that differ from the header's own", [{ name: "x", text: "hello", local: { size: 4 } }], "lies x"],
  ["a checksum that differs from the header's own", [{ name: "x", text: "hello", local: { crc: 4 } }], "lies x"],
  ["another name in the header", [{ name: "good.txt", local: { name: "evil.txt" } }], "lies good.txt"],
  ["other flags in the header", [{ name: "x", local: { flags: 1 } }], "lies x"],
  ["stored, and two sizes", [{ ...stored("hello"), size: 400 }], "lies x"],
  ["longer than the archive", [{ ...stored("hello"), packedSize: 4000, size: 4000 }], "lies x"],
  ["reaching into the next entry", [{ ...stored("hello"), packedSize: 30, size: 30 }, honest], "lies ok.txt"],
  ["sharing its bytes with another entry", [honest, { ...honest, name: "again", at: 0, local: { name: "ok.txt" } }], "lies again"],
  ["being nowhere", [{ name: "x", at: 7 }], "lies x"],
  [
    "a descriptor that says otherwise",
    [{ name: "x", text: "hello", flags: 0x808, local: { crc: 0, size: 0, packedSize: 0 }, descriptor: u32(0x08074b50, 1, 2, 3) }],
    "lies x",
  ],
  ["a folder with contents", [{ name: "a/", text: "hello" }], "lies a/"],
  ["sizes that stand elsewhere", [{ name: "x", size: 0xffffffff, local: { size: 0 } }], "not-a-zip x"],
  ["a bomb of one entry", [honest, { name: "bomb", text: new Uint8Array(5_000_000) }], "too-much bomb"],
  ["a bomb that says it is small", [{ name: "bomb", text: new Uint8Array(5_000_000), size: 1000 }], "lies bomb"],
  ["a bomb of many entries", Array.from({ length: 30 }, (_, at) => ({ name: `${at}`, text: new Uint8Array(900_000) })), "too-much -"],
];

test.each(hostile)("%s is refused", async (_what, entries, refusal) => {
  expect(await opened(makeZip(entries))).toBe(refusal);
});

test("contents that can't be unpacked are refused", async () => {
  const zip = makeZip([{ name: "x", text: "hello hello hello hello", method: 8 }]);
  // The first byte of the packed data, after 30 bytes of header and one of the name: a block of an invalid type.
  zip[31] = 0x07;
  expect(await opened(zip)).toBe("checksum x");
});

test("more bytes than the limit are refused before any is unpacked", async () => {
  const zip = makeZip([
    { name: "a", text: Buffer.from("ab".repeat(600)), method: 0 },
    { name: "b", text: "x".repeat(900), method: 0 },
  ]);
  expect(await opened(zip, { entries: 10, inflated: 2000, ratio: 200 })).toBe("too-much -");
  expect(await opened(zip, { entries: 10, inflated: 2100, ratio: 200 })).toContain("a=abab");
});

test("names of more than 10 MB together are refused before any is compared: each has hundreds of folders", async () => {
  const named = (count: number) => makeZip(Array.from({ length: count }, (_, at) => ({ name: `${at}${"/a".repeat(500)}` })));
  expect(await opened(named(10_200))).toBe("too-much -");
  expect(await opened(named(200))).not.toBe("too-much -");
});

test("law: a file has the name of a folder in just those archives that are refused for it", async () => {
  const segment = fc.constantFrom("a", "b", "A", "a!", "a-", "\u0001", "ab");
  const name = fc.tuple(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { maxLength: 8, selector: ([parts]) => parts.join("/").toLowerCase() }), async (names) => {
      const files = names.filter(([, isFolder]) => !isFolder).map(([parts]) => parts.join("/").toLowerCase());
      const folders = new Set(
        names.flatMap(([parts, isFolder]) =>
          parts.map((_, at) =>
            parts
              .slice(0, at + (isFolder ? 1 : 0))
              .join("/")
              .toLowerCase(),
          ),
        ),
      );
      const outcome = await opened(makeZip(names.map(([parts, isFolder]) => ({ name: `${parts.join("/")}${isFolder ? "/" : ""}` }))));
      expect(outcome.startsWith("same-name ")).toBe(files.some((file) => folders.has(file)));
    }),
    lawRuns(500),
  );
});

test("100,000 entries are refused at once, whatever number the archive says", async () => {
  const one = makeZip([{ name: "x" }]);
  const directory = one.subarray(one.length - 22 - 47, one.length - 22);
  const many = Buffer.concat([one.subarray(0, 33), ...Array.from({ length: 100_000 }, () => directory)]);
  const ending = (count: number) => {
    const end = Buffer.from(one.subarray(-22));
    end.writeUInt16LE(count, 8);
    end.writeUInt16LE(count, 10);
    end.writeUInt32LE(directory.length * 100_000, 12);
    return new Uint8Array(Buffer.concat([many, end]));
  };
  for (const count of [0xffff, 20_001]) expect(await opened(ending(count))).toBe("too-much -");
  for (const count of [0, 1, 20_000]) expect(await opened(ending(count))).toBe("lies -");
});

test("an end that is not the only one, not whole, or says another place is refused", async () => {
  const zip = makeZip([honest]);
  const inner = zip.subarray(-22);
  const two = new Uint8Array(Buffer.concat([zip.subarray(0, -2), Uint8Array.of(22, 0), inner]));
  expect(await opened(two)).toBe("lies -");
  for (const cut of [1, 5, 21, 22, zip.length]) expect(await opened(zip.subarray(0, -cut))).toBe("not-a-zip -");
  expect(await opened(new Uint8Array(Buffer.concat([Buffer.from("#!/bin/sh\n"), zip])))).toBe("lies -");
  expect(await opened(makeZip([honest], { count: 2 }))).toBe("lies -");
  expect(await opened(makeZip([honest, honest], { count: 1 }))).toBe("lies -");
  expect(await opened(makeZip([honest], { directoryAt: 3 }))).toBe("lies -");
  expect(await opened(makeZip([honest], { disk: 1 }))).toBe("not-a-zip -");
  expect(await opened(new Uint8Array())).toBe("not-a-zip -");
});

test("an archive with any one byte changed is refused, or gives the same contents under names that may be had", async () => {
  const zip = makeZip([honest, { name: "b/c.txt", text: "hello hello hello" }]);
  const texts = new Set(["fine", "hello hello hello"]);
  await fc.assert(
    fc.asyncProperty(fc.nat(zip.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const changed = zip.slice();
      changed[at] = (changed[at] ?? 0) ^ change;
      const outcome = await opened(changed);
      if (/^(?:not-a-zip|unsafe-name|same-name|link|encrypted|lies|checksum|too-much) /.test(outcome)) return;
      for (const file of outcome.split(/ (?=\S+=)/)) expect(texts).toContain(file.slice(file.indexOf("=") + 1));
    }),
    { numRuns: 1500 },
  );
});

test("random bytes are never more than refused", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      expect(await opened(bytes)).toMatch(/^(?:not-a-zip|lies|too-much) -$|^$/);
    }),
  );
});
