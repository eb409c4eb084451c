import { describe, expect, test } from "vitest";
import { authorityLines } from "../../../src/app/docs/authority.ts";
import { copyOf, keepsItsName } from "../../../src/app/docs/file-actions.ts";
import { createDrafts } from "../../../src/app/docs/drafts.ts";
import { dialogFile, orderDocs, shownName } from "../../../src/app/docs/names.ts";
import { docFilename } from "../../../src/app/docs/new-doc.ts";
import { contentOf } from "../../../src/app/docs/source.ts";

describe("the name of a new doc", () => {
  test.each([
    ["rules", "doc-rules.md"],
    ["doc-rules", "doc-rules.md"],
    ["rules.md", "doc-rules.md"],
    ["  my first  plan ", "doc-my-first-plan.md"],
    ["v1.2", "doc-v1.2.md"],
  ])("%j is %s", (typed, name) => {
    expect(docFilename(typed)).toEqual({ ok: true, name });
  });

  test.each([
    ["", "Enter a name."],
    [" .md", "Enter a name."],
    ["a/b", `Use only the letters a to z, digits, dots, "-" and "_". "/" isn't allowed.`],
    ["plán", `Use only the letters a to z, digits, dots, "-" and "_". "á" isn't allowed.`],
    ["a..b", "Names can't contain two dots in a row."],
    ["a".repeat(300), "This name is too long."],
  ])("%j is refused in words", (typed, why) => {
    expect(docFilename(typed)).toEqual({ ok: false, why });
  });
});

test("main comes first and shows without prefix and ending", () => {
  const files = ["doc-zoo.md", "dialog-20261121-201100-plan-done.md", "doc-main.md", "doc-art.md"];
  expect(orderDocs(files).map(shownName)).toEqual(["main", "art", "zoo"]);
});

test.each([
  [
    "dialog-20261121-201100-build-the-board-waiting.md",
    { id: "20261121-201100-build-the-board", slug: "build-the-board", status: "waiting" },
  ],
  ["dialog-20261121-201100-x-unknown.md", null],
  ["doc-main.md", null],
])("the parts of %s", (filename, parts) => {
  expect(dialogFile(filename)).toEqual(parts);
});

const imported = "Imported, so not active. Delete “imported” to activate it.";

test("authority lines are named with what they mean, and nothing else is", () => {
  const text = [
    "# A",
    "> Authorized: run_command",
    " > Authorized: edit_file",
    "> Authorized: everything",
    "> Authorized: constructor",
    "> Authorized: edit_file ",
    "> Revoked: run_command",
    "> Revoked: signal_parent",
    "> a quote",
    "> Limit: agents 2",
    "> Limit: agents 4",
    "> Limit: depth 0",
    "> Limit:  launches 1 ",
    "> Limit: requests 50",
    "> Limit: command 90",
    "> Limit: command 0",
    "> Limit: tokens 50",
    "> Limit: agents four",
    "> Authorized imported: run_command",
    "> Limit imported: agents 9",
    "> Authorized: run_command\r",
  ].join("\n");
  expect(authorityLines(text)).toEqual([
    { line: "> Authorized: run_command", meaning: "New dialogs can run commands without asking." },
    { line: "> Authorized: everything", meaning: `Ignored: there's no tool called "everything".` },
    { line: "> Authorized: constructor", meaning: `Ignored: there's no tool called "constructor".` },
    { line: "> Authorized: edit_file ", meaning: "Ignored: remove the spaces around the name." },
    { line: "> Revoked: run_command", meaning: "Removes the permission for run_command. New dialogs ask first." },
    { line: "> Revoked: signal_parent", meaning: "Removes the permission for signal_parent. New dialogs ask first." },
    { line: "> Limit: agents 2", meaning: "Ignored: a later line sets this limit." },
    { line: "> Limit: agents 4", meaning: "Up to 4 agents at a time. The rest wait in the queue." },
    { line: "> Limit: depth 0", meaning: "Agents can't launch other agents." },
    { line: "> Limit:  launches 1 ", meaning: "Agents can launch up to 1 agent per hour. The rest wait in the queue." },
    { line: "> Limit: requests 50", meaning: "Up to 50 requests to the provider per turn. Then the agent waits for you." },
    { line: "> Limit: command 90", meaning: "Commands can run for up to 90 seconds, unless a dialog sets its own limit." },
    { line: "> Limit: command 0", meaning: "Ignored: Vibey doesn't know this limit." },
    { line: "> Limit: tokens 50", meaning: "Ignored: Vibey doesn't know this limit." },
    { line: "> Limit: agents four", meaning: "Ignored: Vibey doesn't know this limit." },
    { line: "> Authorized imported: run_command", meaning: imported },
    { line: "> Limit imported: agents 9", meaning: imported },
    { line: "> Authorized: run_command\r", meaning: "Ignored: remove the spaces around the name." },
  ]);
});

test("lines about agents outside say what they mean, too", () => {
  const lines = [
    "> Authorized outside: Read",
    "> Authorized outside: Bash",
    "> Authorized outside: Read, Grep",
    "> Outside imported: Read",
  ];
  expect(authorityLines(lines.join("\n")).map(({ line, meaning }) => `${line} | ${meaning}`)).toEqual([
    `${lines[0]} | Agents outside Vibey can use Read in their folder without asking.`,
    `${lines[1]} | Ignored: of agents outside Vibey, only tools that just read can go without asking.`,
    `${lines[2]} | Ignored: of agents outside Vibey, only tools that just read can go without asking.`,
    `${lines[3]} | Imported, so not active. Write “Authorized outside” to activate it.`,
  ]);
});

test.each([
  ["doc-a.md", "doc-a-copy.md"],
  ["doc-taken.md", "doc-taken-copy-3.md"],
] as const)("a second %s is called %s", (name, copy) => {
  const taken = new Set(["doc-taken-copy.md", "doc-taken-copy-2.md"]);
  expect(copyOf({ kind: "doc", name }, (ref) => ref.kind === "doc" && taken.has(ref.name))).toEqual({ kind: "doc", name: copy });
});

test.each([
  ["src/a.b.js", "src/a.b-copy.js"],
  ["a.d/Makefile", "a.d/Makefile-copy"],
  [".env", ".env-copy"],
])("a second %s of the deed is %s", (path, copy) => {
  expect(copyOf({ kind: "deed", path }, () => false)).toEqual({ kind: "deed", path: copy });
});

test("main and dialogs keep their names, and it is said why", () => {
  const why = (name: string) => keepsItsName({ kind: "doc", name });
  expect(why("doc-a.md")).toBeNull();
  expect(why("doc-main.md")).toContain("agents look for it");
  expect(why("dialog-20261121-201100-plan-done.md")).toContain("Dialog files can't be renamed");
});

const bytes = (...values: number[]) => new Uint8Array(values).buffer;

describe("a deed's file", () => {
  test.each([
    ["a.txt", bytes(104, 105), { kind: "text", text: "hi" }],
    ["a.png", bytes(1), { kind: "image", type: "image/png" }],
    ["a.svg", bytes(60, 115), { kind: "text", text: "<s" }],
    ["a.bin", bytes(0xff, 0xfe), { kind: "binary" }],
    ["a.txt", bytes(104, 0), { kind: "binary" }],
  ])("%s is told by its name and bytes", (path, content, expected) => {
    expect(contentOf(path, content)).toMatchObject(expected);
  });
});

function browserStorage(entries: Record<string, string> = {}, room = Number.POSITIVE_INFINITY) {
  const map = new Map(Object.entries(entries));
  return {
    map,
    get length() {
      return map.size;
    },
    key: (index: number) => Array.from(map.keys())[index] ?? null,
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > room) throw new DOMException("full", "QuotaExceededError");
      map.set(key, value);
    },
    removeItem: (key: string) => void map.delete(key),
  };
}
const now = (write: () => void) => write();
const never = () => undefined;

describe("drafts", () => {
  test("what was typed before a crash is there after it, with the version it was made from", () => {
    const storage = browserStorage();
    const before = createDrafts(storage, never);
    before.keep("doc:doc-main.md", { text: "half a th", etag: '"3"' });
    before.flush();
    const after = createDrafts(storage, now);
    expect(after.get("doc:doc-main.md")).toEqual({ text: "half a th", etag: '"3"' });
  });

  test("one is readable at once, before anything is stored", () => {
    const storage = browserStorage();
    const drafts = createDrafts(storage, never);
    drafts.keep("a", { text: "x", etag: null });
    expect(drafts.get("a")?.text).toBe("x");
    expect(storage.map.size).toBe(0);
  });

  test("a dropped one is gone from the storage too", () => {
    const storage = browserStorage();
    const drafts = createDrafts(storage, never);
    drafts.keep("a", { text: "x", etag: null });
    drafts.flush();
    drafts.drop("a");
    drafts.flush();
    expect(storage.map.size).toBe(0);
    expect(drafts.get("a")).toBeNull();
  });

  test("a full storage loses nothing of what is in memory, and says so", () => {
    const drafts = createDrafts(browserStorage({}, 30), never);
    drafts.keep("a", { text: "x".repeat(100), etag: null });
    drafts.flush();
    expect(drafts.get("a")?.text).toHaveLength(100);
    expect(drafts.full()).toBe(true);
  });

  test("one that fits says nothing of another that does not", () => {
    const drafts = createDrafts(browserStorage({}, 50), never);
    drafts.keep("a", { text: "x".repeat(100), etag: null });
    drafts.flush();
    drafts.keep("b", { text: "y", etag: null });
    drafts.flush();
    expect(drafts.full()).toBe(true);
    drafts.keep("a", { text: "x", etag: null });
    drafts.flush();
    expect(drafts.full()).toBe(false);
  });

  test("one that did not fit is stored with the next write for which there is room", () => {
    const storage = browserStorage();
    let isFull = true;
    const setItem = (key: string, value: string) => {
      if (isFull) throw new DOMException("full", "QuotaExceededError");
      storage.setItem(key, value);
    };
    const drafts = createDrafts({ ...storage, setItem }, never);
    drafts.keep("b", { text: "y", etag: null });
    drafts.flush();
    expect([drafts.full(), storage.map.size]).toEqual([true, 0]);
    isFull = false;
    drafts.flush();
    expect([drafts.full(), [...storage.map.keys()]]).toEqual([false, ["vibey draft b"]]);
  });

  test("what another tab has typed is taken over, and what it has dropped goes", async () => {
    const drafts = createDrafts(browserStorage(), now);
    await drafts.stored("vibey draft a", '{"id":"12345678-000001","text":"theirs","etag":"1"}');
    expect(drafts.get("a")).toEqual({ text: "theirs", etag: "1" });
    expect(drafts.keys().has("a")).toBe(true);
    expect(drafts.elsewhere()).toEqual({ key: "a" });
    await drafts.stored("vibey draft a", "12345678-000001");
    expect(drafts.get("a")).toBeNull();
    expect(drafts.keys().has("a")).toBe(false);
  });

  test("what is typed here and not stored yet stays beside what another tab stores", async () => {
    const drafts = createDrafts(browserStorage(), never);
    drafts.keep("a", { text: "mine", etag: null });
    await drafts.stored("vibey theme", "dark");
    await drafts.stored(null, null);
    expect(drafts.elsewhere()).toBeNull();
    await drafts.stored("vibey draft a", '{"id":"12345678-000001","text":"theirs","etag":null}');
    expect(drafts.get("a")?.text).toBe("mine");
    expect(drafts.get(drafts.elsewhere()?.key ?? "")?.text).toBe("theirs");
  });

  test("what others have stored, or a torn entry, is left alone", () => {
    const drafts = createDrafts(
      browserStorage({ "vibey theme": "dark", "vibey draft a": '{"text', "vibey draft b": "null", "vibey draft c": '{"text":"ok"}' }),
      now,
    );
    expect(drafts.get("a")).toBeNull();
    expect(drafts.get("b")).toBeNull();
    expect(drafts.get("c")).toEqual({ text: "ok", etag: null });
  });
});
