import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mergeCopy } from "../../../../src/engine/project/recovery/merge-copy.ts";
import type { CopiedFile } from "../../../../src/fs/copy/contents.ts";
import { type IdbFiles, openIdbFiles } from "../../../../src/fs/idb.ts";
import type { Path } from "../../../../src/fs/path.ts";
import { path } from "../../../fs/notation.ts";
import { raw } from "./world.ts";

/** "Keep both" loses nothing that either store has. */

let name: string;
let files: IdbFiles;
beforeEach(async () => {
  name = crypto.randomUUID();
  files = await openIdbFiles({ name, now: () => 7 });
});
afterEach(() => files.close());

type Texts = Readonly<Record<string, string>>;

async function store(texts: Texts): Promise<void> {
  const changes = Object.entries(texts).map(([where, data]) => ({ op: "write", path: path(where), data }) as const);
  expect(await files.commit(changes, { durability: "strict" })).toMatchObject({ ok: true });
}

async function merge(texts: Texts): Promise<Texts> {
  await mergeTexts(texts);
  return all();
}

async function mergeTexts(texts: Texts): Promise<void> {
  const copied = Object.entries(texts).map(([where, text], id): CopiedFile => {
    return { id, path: path(where), mtime: 5, version: 1, size: text.length, stable: 0, parts: [] };
  });
  await mergeCopy(files, copied, (file) => new TextEncoder().encode(texts[file.path]));
}

async function all(): Promise<Texts> {
  const read = async (where: Path) => [where, new TextDecoder().decode((await files.read(where))?.bytes)] as const;
  return Object.fromEntries(await Promise.all((await files.list()).map(({ path: where }) => read(where))));
}

test("the other name of a file that differs is none that the copy has a file under", async () => {
  await store({ "a.js": "mine" });
  const both = await merge({ "a.js": "copied", "a-2.js": "copied as well" });
  expect(both).toEqual({ "a.js": "mine", "a-2.js": "copied as well", "a-3.js": "copied" });
});

test("the other number of a dialog that differs is none that the copy has a dialog under", async () => {
  const dialog = (id: string) => `vibey/dialog-20261122-120000-${id}-waiting.md`;
  await store({ [dialog("talk")]: "# Dialog\n> Format: 1\n\nmine\n" });
  const first = await merge({ [dialog("talk")]: "# Dialog\n> Format: 1\n\ncopied\n" });
  const [other = ""] = Object.keys(first).filter((each) => each !== dialog("talk"));
  await files.commit([{ op: "remove", path: path(other) }], { durability: "strict" });
  const both = await merge({
    [dialog("talk")]: "# Dialog\n> Format: 1\n\ncopied\n",
    [other]: "# Dialog\n> Format: 1\n\nanother\n",
  });
  const last = new Set(Object.values(both).map((text) => text.split("\n")[3]));
  expect(last).toEqual(new Set(["another", "copied", "mine"]));
});

test("the other name of a file that differs is none of a file that the database has lost bytes of", async () => {
  await store({ "a.js": "mine", "a-2.js": "lost" });
  await raw(name, async (db) => {
    const { id } = await db.get("names", "a-2.js");
    await db.delete("pieces", [id, 0]);
  });
  await merge({ "a.js": "copied", "a-2.js": "whole" });
  expect(await all()).toEqual({ "a.js": "mine", "a-2.js": "whole", "a-3.js": "copied" });
});

test("a long dialog of the copy is the user's own: it comes in as it is, and once, also when it broke off behind that", async () => {
  const dialog = "vibey/dialog-20261122-120000-talk-waiting.md";
  const text = (last: string) => `# Dialog\n> Format: 1\n${"\n## User\n\nHello\n".repeat(7)}\n${last}\n`;
  await store({ [dialog]: text("mine") });
  for (let times = 0; times < 2; times += 1)
    expect(Object.values(await merge({ [dialog]: text("copied") })).toSorted()).toEqual([text("copied"), text("mine")]);
});

test("a repository keeps what both stores have of it: the copy's branch comes in beside the other", async () => {
  await store({ ".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": "1111\n", ".git/objects/11/11": "one" });
  const both = await merge({
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/refs/heads/main": "2222\n",
    ".git/objects/11/11": "one",
    ".git/objects/22/22": "two",
  });
  expect(both).toEqual({
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/refs/heads/main": "1111\n",
    ".git/refs/heads/main-2": "2222\n",
    ".git/objects/11/11": "one",
    ".git/objects/22/22": "two",
  });
});

test.each([
  ["the extension", `a.${"x".repeat(1022)}`, `a-2.${"x".repeat(1012)}`],
  ["the rest", `${"x".repeat(1010)}😀${"y".repeat(9)}.md`, `${"x".repeat(1010)}-2.md`],
  ["the rest, with a character of two units at the end", `${"x".repeat(1008)}😀${"y".repeat(11)}.md`, `${"x".repeat(1008)}😀y-2.md`],
])("a name that is as long as can be gives way to the number: %s", async (_title, longest, other) => {
  expect(longest.length).toBe(1024);
  await store({ [longest]: "mine" });
  expect(await merge({ [longest]: "copied" })).toEqual({ [longest]: "mine", [other]: "copied" });
});

test("a file that the database has lost bytes of is no other name of one that differs", async () => {
  await store({ "a.js": "mine", "a-2.js": "copied" });
  await raw(name, async (db) => {
    const { id } = await db.get("names", "a-2.js");
    await db.delete("pieces", [id, 0]);
  });
  await mergeTexts({ "a.js": "copied" });
  expect(new TextDecoder().decode((await files.read(path("a-3.js")))?.bytes)).toBe("copied");
});

const places = ["a", "a-2", "A", "a/b", "a.js", "a-2.js", "a-3.js", ".git/HEAD", ".git/HEAD-2", "node/.git/x", "vibey/doc-a.md"];
const dialogs = ["talk-waiting", "talk-done", "talk-2-waiting", "talk-3-done", "other-waiting"].map(
  (end) => `vibey/dialog-20261122-120000-${end}.md`,
);
const project = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...places), fc.constantFrom("", "one", "two", "three")),
    fc.uniqueArray(fc.constantFrom(...dialogs), { selector: (each) => each.slice(0, -"-waiting.md".length) }),
    fc.constantFrom("", "a", "ab", "b"),
  )
  .map(([texts, named, end]): Texts => {
    return { ...texts, ...Object.fromEntries(named.map((each, nth) => [each, `# Dialog\n> Format: 1\n\n${end}${nth % 2 ? end : ""}`])) };
  });

test("whatever two stores hold, all of it is there afterwards, and once", async () => {
  await fc.assert(
    fc.asyncProperty(project, project, async (mine, theirs) => {
      files.close();
      name = crypto.randomUUID();
      files = await openIdbFiles({ name, now: () => 7 });
      await store(mine);
      const merged = await merge(theirs);
      const both = Object.entries(merged);
      const isHeld = ([where, text]: [string, string]) =>
        both.some(
          ([other, found]) => found === text || (where.includes("/dialog-") && other.includes("/dialog-") && found.startsWith(text)),
        );
      expect([...Object.entries(mine), ...Object.entries(theirs)].filter((entry) => !isHeld(entry))).toEqual([]);
      for (const [where, text] of Object.entries(mine)) if (!where.includes("/dialog-")) expect(both).toContainEqual([where, text]);
      // Merges again, as after a crash before the merge was noted.
      expect(await merge(theirs)).toEqual(merged);
    }),
    { numRuns: process.env["VIBEY_CHAOS"] === undefined ? 40 : 1_000 },
  );
});
