/** The text of a file is shown before the engine has answered. These tests check what happens to it then: no word is lost, and none is forged. */
import { createEffect, createRoot } from "solid-js";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createDrafts, type Draft } from "../../../src/app/docs/drafts.ts";
import { dropGlances, type Glance, glanceKey, readGlance } from "../../../src/app/docs/glance.ts";
import type { FileRef } from "../../../src/app/model/route.ts";
import type { LiveEvent } from "../../../src/protocol/index.ts";
import { human } from "../../../src/fs/actor.ts";
import { live } from "../../live-event.ts";
import { engineWith, five, key, main, pageOf, read, reloaded, type Stored, typedThere } from "./page-of.ts";

const glance: Glance = { text: five, etag: '"3"' };

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const typedOne = five.replace("one", "ONE");
const changedFive = five.replace("five", "FIVE");
const bothChanged = typedOne.replace("five", "FIVE");
const changedOne = five.replace("one", "uno");

describe("before the engine has answered", () => {
  test("the glance is there, can be typed into, and nothing claims to be saved", () => {
    engineWith({ text: five, version: 3 });
    const page = pageOf({ glance });
    expect(page.shown()).toEqual({ kind: "text", text: five, dirty: false, theirs: null });
    expect([page.file.unknown(), page.file.stored()]).toEqual([true, null]);
    page.type(typedOne);
    expect(page.shown()).toMatchObject({ text: typedOne, dirty: true });
    expect(page.drafts.get(key)).toEqual({ text: typedOne, etag: '"3"', from: five });
    page.leave();
  });

  test("a draft goes on top of it", () => {
    engineWith({ text: five, version: 3 });
    const page = pageOf({ glance, draft: { text: typedOne, etag: '"3"' } });
    expect(page.shown()).toMatchObject({ text: typedOne, dirty: true });
    page.leave();
  });

  test.each<[string, () => void]>([
    ["of another file", () => localStorage.setItem(glanceKey("", "doc:doc-other.md"), JSON.stringify(glance))],
    ["of another project", () => localStorage.setItem(glanceKey("abcdefghijkl", key), JSON.stringify(glance))],
    ["torn", () => localStorage.setItem(glanceKey("", key), '{"text":"one')],
    ["without a version", () => localStorage.setItem(glanceKey("", key), '{"text":"one"}')],
  ])("one that is %s is none", (_what, prepare) => {
    localStorage.clear();
    engineWith({ text: five, version: 3 });
    prepare();
    const page = reloaded();
    expect(page.shown()).toMatchObject({ kind: "loading", text: "" });
    page.leave();
  });

  test("another file that is opened then waits for the engine: late words of the first must not meet its text", () => {
    engineWith({ text: five, version: 3 });
    const page = pageOf({ glance });
    localStorage.setItem(glanceKey("", "doc:doc-b.md"), JSON.stringify(glance));
    page.setTarget({ kind: "doc", name: "doc-b.md" });
    expect(page.shown().kind).toBe("loading");
    page.type(typedOne);
    expect(page.shown().text).toBe("");
    expect(page.drafts.get(key)).toEqual({ text: typedOne, etag: '"3"', from: five });
    page.leave();
  });
});

interface Case {
  readonly what: string;
  readonly stored: Stored;
  readonly glance?: Glance;
  readonly draft?: Draft;
  readonly typed?: string;
  /** Save is pressed before the engine answers. */
  readonly save?: boolean;
  readonly kind?: string;
  readonly text: string;
  readonly dirty: boolean;
  readonly theirs?: string;
  readonly written?: readonly string[];
  /** The unsaved text stored in the end. */
  readonly kept: Draft | null;
  readonly problem?: boolean;
}
const cases: readonly Case[] = [
  { what: "same: nothing changes", stored: { text: five, version: 3 }, text: five, dirty: false, kept: null },
  { what: "written anew with the same text", stored: { text: five, version: 7 }, text: five, dirty: false, kept: null },
  { what: "newer, nothing typed: it is taken", stored: { text: changedFive, version: 7 }, text: changedFive, dirty: false, kept: null },
  {
    what: "restored to the same version with another text, nothing typed: it is taken",
    stored: { text: changedFive, version: 3 },
    text: changedFive,
    dirty: false,
    kept: null,
  },
  {
    what: "same, typed",
    stored: { text: five, version: 3 },
    typed: typedOne,
    text: typedOne,
    dirty: true,
    kept: { text: typedOne, etag: '"3"' },
  },
  {
    what: "the same text in another version, typed",
    stored: { text: five, version: 7 },
    typed: typedOne,
    text: typedOne,
    dirty: true,
    kept: { text: typedOne, etag: '"7"' },
  },
  {
    what: "newer, typed elsewhere in it: merged",
    stored: { text: changedFive, version: 7 },
    typed: typedOne,
    text: bothChanged,
    dirty: true,
    kept: { text: bothChanged, etag: '"7"' },
  },
  {
    what: "newer, typed in the same line: both are shown",
    stored: { text: changedOne, version: 7 },
    typed: typedOne,
    text: typedOne,
    dirty: true,
    theirs: changedOne,
    kept: { text: typedOne, etag: '"3"', from: five },
  },
  {
    what: "newer, and just what was typed",
    stored: { text: typedOne, version: 7 },
    typed: typedOne,
    text: typedOne,
    dirty: false,
    kept: null,
  },
  {
    what: "restored to the same version with another text, typed: both are shown, nothing is merged",
    stored: { text: changedFive, version: 3 },
    typed: typedOne,
    text: typedOne,
    dirty: true,
    theirs: changedFive,
    kept: { text: typedOne, etag: '"3"', from: five },
  },
  {
    what: "same, with a draft",
    stored: { text: five, version: 3 },
    draft: { text: typedOne, etag: '"3"' },
    text: typedOne,
    dirty: true,
    kept: { text: typedOne, etag: '"3"' },
  },
  {
    what: "newer, with a draft of an earlier visit: both are shown",
    stored: { text: changedFive, version: 7 },
    draft: { text: typedOne, etag: '"3"' },
    text: typedOne,
    dirty: true,
    theirs: changedFive,
    kept: { text: typedOne, etag: '"3"' },
  },
  {
    what: "restored to the same version with another text, with a draft that names it: both are shown",
    stored: { text: changedFive, version: 3 },
    draft: { text: typedOne, etag: '"3"' },
    text: typedOne,
    dirty: true,
    theirs: changedFive,
    kept: { text: typedOne, etag: '"3"' },
  },
  {
    what: "newer, with what was typed on the same glance by a page that went before its engine answered: merged",
    stored: { text: changedFive, version: 7 },
    draft: { text: typedOne, etag: '"3"', from: five },
    text: bothChanged,
    dirty: true,
    kept: { text: bothChanged, etag: '"7"' },
  },
  {
    what: "newer than the glance, which is of another text than that page's",
    stored: { text: changedFive, version: 7 },
    glance: { text: "other\n", etag: '"5"' },
    draft: { text: typedOne, etag: '"3"', from: five },
    text: typedOne,
    dirty: true,
    theirs: changedFive,
    kept: { text: typedOne, etag: '"3"', from: five },
  },
  { what: "gone, nothing typed", stored: "gone", kind: "nothing", text: "", dirty: false, kept: null },
  {
    what: "gone, typed: it is said, and the text stays",
    stored: "gone",
    typed: typedOne,
    text: typedOne,
    dirty: true,
    kept: { text: typedOne, etag: '"3"', from: five },
    problem: true,
  },
  {
    what: "gone, save pressed: it is not made anew without a word",
    stored: "gone",
    typed: typedOne,
    save: true,
    text: typedOne,
    dirty: true,
    written: [],
    kept: { text: typedOne, etag: '"3"', from: five },
    problem: true,
  },
  {
    what: "no answer, typed: what was typed is kept",
    stored: "failing",
    typed: typedOne,
    save: true,
    kind: "failed",
    text: typedOne,
    dirty: false,
    written: [],
    kept: { text: typedOne, etag: '"3"', from: five },
  },
  {
    what: "same, save pressed",
    stored: { text: five, version: 3 },
    typed: typedOne,
    save: true,
    text: typedOne,
    dirty: false,
    written: [typedOne],
    kept: null,
  },
  {
    what: "newer, save pressed: what is written has both changes",
    stored: { text: changedFive, version: 7 },
    typed: typedOne,
    save: true,
    text: bothChanged,
    dirty: false,
    written: [bothChanged],
    kept: null,
  },
  {
    what: "newer in the same line, save pressed: nothing is written",
    stored: { text: changedOne, version: 7 },
    typed: typedOne,
    save: true,
    text: typedOne,
    dirty: true,
    theirs: changedOne,
    written: [],
    kept: { text: typedOne, etag: '"3"', from: five },
  },
  {
    what: "restored to the same version with another text, save pressed: nothing is written",
    stored: { text: changedFive, version: 3 },
    typed: typedOne,
    save: true,
    text: typedOne,
    dirty: true,
    theirs: changedFive,
    written: [],
    kept: { text: typedOne, etag: '"3"', from: five },
  },
];

describe("when the engine answers, and the file is", () => {
  test.each(cases)(
    "$what",
    async ({ stored, glance: seen = glance, draft, typed, save, kind, text, dirty, theirs, written, kept, problem }) => {
      const engine = engineWith(stored);
      const page = pageOf({ glance: seen, ...(draft && { draft }) });
      if (typed !== undefined) page.type(typed);
      if (save === true) void page.file.save();
      expect(page.file.saving()).toBe(save === true);
      expect(engine.written).toEqual([]);
      engine.start();
      await read(page);
      await expect.poll(page.shown).toEqual({ kind: kind ?? "text", text, dirty, theirs: theirs ?? null });
      await expect.poll(() => engine.written).toEqual(written ?? []);
      await expect.poll(() => page.file.saving()).toBe(false);
      expect(page.drafts.get(key)).toEqual(kept);
      expect(page.file.problem() !== null).toBe(problem === true);
      page.leave();
    },
  );

  test("no text any more, typed: what it is is shown, and what was typed is kept", async () => {
    const file: FileRef = { kind: "deed", path: "notes.txt" };
    const engine = engineWith("binary");
    const page = pageOf({ glance, file });
    page.type(typedOne);
    engine.start();
    await read(page);
    expect(page.file.opened().kind).toBe("binary");
    expect(page.drafts.get("deed:notes.txt")?.text).toBe(typedOne);
    page.leave();
  });

  test("the same, the text is not set again", async () => {
    const engine = engineWith({ text: five, version: 3 });
    const page = pageOf({ glance });
    const seen: string[] = [];
    const stop = createRoot((end) => {
      createEffect(() => seen.push(`${page.file.opened().kind}: ${page.file.text()}`));
      return end;
    });
    engine.start();
    await read(page);
    expect(new Set(seen)).toEqual(new Set([`text: ${five}`]));
    stop();
    expect(page.file.stored()).toEqual({ file: key, ...glance });
    page.leave();
  });
});

test("the engine that is heard before it answers is not asked a second time", async () => {
  const engine = engineWith({ text: changedFive, version: 7 });
  const page = pageOf({ glance });
  page.emit({ type: "hello" });
  page.type(typedOne);
  page.emit({ type: "hello" });
  engine.start();
  await read(page);
  await expect.poll(page.shown).toMatchObject({ text: bothChanged, dirty: true });
  expect(engine.reads()).toBe(1);
  page.leave();
});

describe("after both are shown", () => {
  async function conflict() {
    const engine = engineWith({ text: changedFive, version: 3 });
    const page = pageOf({ glance });
    page.type(typedOne);
    engine.start();
    await read(page);
    return { engine, page };
  }

  test("save writes nothing, more is typed, the page is loaded anew: both are still shown", async () => {
    const { engine, page } = await conflict();
    await page.file.save();
    page.type(`${typedOne}six\n`);
    expect(engine.written).toEqual([]);
    expect(page.drafts.get(key)).toEqual({ text: `${typedOne}six\n`, etag: null });
    page.leave();
    localStorage.removeItem(glanceKey("", key));
    const again = reloaded();
    await read(again);
    expect(again.shown()).toEqual({ kind: "text", text: `${typedOne}six\n`, dirty: true, theirs: changedFive });
    again.leave();
  });

  test("the engine is heard anew: both are still shown, and a save still writes nothing", async () => {
    const { engine, page } = await conflict();
    page.emit({ type: "hello" });
    await new Promise((resolve) => setTimeout(resolve, 0));
    await page.file.save();
    expect(engine.written).toEqual([]);
    expect(page.shown().theirs).toBe(changedFive);
    page.leave();
  });

  test("mine is written over it when a person says so, and theirs is taken when they say that", async () => {
    const first = await conflict();
    await first.page.file.keepMine();
    expect(first.engine.written).toEqual([typedOne]);
    first.page.leave();
    const second = await conflict();
    second.page.file.discard();
    await expect.poll(second.page.shown).toEqual({ kind: "text", text: changedFive, dirty: false, theirs: null });
    second.page.leave();
  });
});

describe("another tab", () => {
  test("has typed on its glance of an older text: nothing here writes over what is newer", async () => {
    const engine = engineWith({ text: changedOne, version: 7 });
    engine.start();
    const page = pageOf();
    await read(page);
    await typedThere(page, { text: typedOne, etag: '"3"', from: five });
    await expect.poll(page.shown).toMatchObject({ text: typedOne, dirty: true, theirs: changedOne });
    await page.file.save();
    expect(engine.written).toEqual([]);
    // Its engine has answered by then, and a person has merged the two there.
    await typedThere(page, { text: "together\n", etag: '"7"' });
    await expect.poll(page.shown).toMatchObject({ text: "together\n", theirs: null });
    await page.file.save();
    expect(engine.written).toEqual(["together\n"]);
    page.leave();
  });

  test("has saved what was typed, or discarded it, while both versions are shown here: there is one again", async () => {
    const engine = engineWith({ text: changedOne, version: 7 });
    engine.start();
    const page = pageOf();
    await read(page);
    await typedThere(page, { text: typedOne, etag: '"3"', from: five });
    await expect.poll(page.shown).toMatchObject({ text: typedOne, dirty: true, theirs: changedOne });
    await typedThere(page, null);
    await expect.poll(page.shown).toEqual({ kind: "text", text: changedOne, dirty: false, theirs: null });
    page.leave();
  });

  test("has discarded what was typed, before the engine answers here: the stored text is shown", async () => {
    const engine = engineWith({ text: changedFive, version: 7 });
    const page = pageOf({ glance, draft: { text: typedOne, etag: '"3"' } });
    await typedThere(page, null);
    expect(page.shown()).toMatchObject({ text: five, dirty: false });
    engine.start();
    await read(page);
    await expect.poll(page.shown).toEqual({ kind: "text", text: changedFive, dirty: false, theirs: null });
    page.leave();
  });
});

test("discarded before the engine answers: what is stored is shown, whatever it is", async () => {
  const engine = engineWith({ text: changedFive, version: 7 });
  const page = pageOf({ glance, draft: { text: typedOne, etag: '"2"' } });
  page.file.discard();
  expect(page.shown()).toMatchObject({ text: five, dirty: false });
  engine.start();
  await read(page);
  expect(page.shown()).toEqual({ kind: "text", text: changedFive, dirty: false, theirs: null });
  expect(page.drafts.get(key)).toBeNull();
  page.leave();
});

describe("a glance is kept", () => {
  const kept = (file = key) => readGlance(localStorage, "", file);
  const hide = () => window.dispatchEvent(new PageTransitionEvent("pagehide"));
  async function openedPage(stored: Stored, file = main) {
    const engine = engineWith(stored);
    engine.start();
    const page = pageOf({ file });
    await read(page);
    return page;
  }

  test("when the page goes, of what is stored and not of what is typed", async () => {
    const page = await openedPage({ text: five, version: 3 });
    page.type(typedOne);
    hide();
    expect(kept()).toEqual(glance);
    page.leave();
  });

  test("not before the engine has said what is stored", () => {
    engineWith({ text: changedFive, version: 7 });
    const page = pageOf({ glance });
    hide();
    expect(kept()).toEqual(glance);
    page.leave();
  });

  test("of a text that is not too long", async () => {
    const page = await openedPage({ text: "x".repeat(100_001), version: 3 });
    hide();
    expect(kept()).toBeNull();
    page.leave();
  });

  test("of the file that is shown and of doc-main.md, and of no other", async () => {
    const page = await openedPage({ text: five, version: 3 }, { kind: "doc", name: "doc-b.md" });
    for (const file of [key, "doc:doc-c.md"]) localStorage.setItem(glanceKey("", file), JSON.stringify(glance));
    localStorage.setItem(glanceKey("abcdefghijkl", key), JSON.stringify(glance));
    hide();
    expect(Object.keys(localStorage).toSorted()).toEqual([glanceKey("", "doc:doc-b.md"), glanceKey("", key)]);
    page.leave();
  });

  test.each<[string, string, LiveEvent]>([
    ["a file", key, live({ type: "file", data: { name: "doc-main.md", change: "removed" } }, { actor: human })],
    ["a file of the deed", "deed:a.txt", live({ type: "deed", data: { path: "a.txt", change: "removed" } }, { actor: human })],
    ["a dialog", "doc:dialog-20261121-201100-a-done.md", live({ type: "dialog_removed", data: {} }, { dialogId: "20261121-201100-a" })],
  ])("no longer than %s that is deleted", async (_what, file, event) => {
    const page = await openedPage({ text: five, version: 3 });
    localStorage.setItem(glanceKey("", file), JSON.stringify(glance));
    page.emit(event);
    expect(kept(file)).toBeNull();
    page.leave();
  });

  test("no longer than a file that was gone when it was opened", async () => {
    const engine = engineWith("gone");
    const page = pageOf({ glance });
    engine.start();
    await read(page);
    expect(kept()).toBeNull();
    page.leave();
  });

  test("as long as there is room: unsaved text has it first", () => {
    localStorage.clear();
    const full = new Map<string, string>([["vibey glance  doc:a", "x".repeat(50)]]);
    const store = {
      get length() {
        return full.size;
      },
      key: (index: number) => [...full.keys()][index] ?? null,
      getItem: (name: string) => full.get(name) ?? null,
      setItem(name: string, value: string) {
        const others = [...full].filter(([other]) => other !== name).reduce((sum, [, text]) => sum + text.length, 0);
        if (others + value.length > 105) throw new DOMException("full", "QuotaExceededError");
        full.set(name, value);
      },
      removeItem: (name: string) => void full.delete(name),
    };
    const drafts = createDrafts(store, queueMicrotask, "", () => dropGlances(store));
    drafts.keep("doc:b", { text: "y".repeat(40), etag: null });
    drafts.flush();
    expect(drafts.full()).toBe(false);
    expect([...full.keys()]).toEqual(["vibey draft doc:b"]);
  });
});
