import { array, assert, asyncProperty, constantFrom, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { createOutbox, draftKey } from "../../src/app/dialogs/drafts.ts";
import { createDrafts, type Drafts, parseDraft, type TextStore } from "../../src/app/docs/drafts.ts";
import { decide, rivalsOf } from "../../src/app/docs/other-tab.ts";

const inOrder = (texts: readonly string[]) => texts.toSorted((one, other) => one.localeCompare(other));

/** Tabs that share a store. A write is visible to the others at once, but they are notified only when `hear` is called. */
function browser() {
  const map = new Map<string, string>();
  const tabs: { drafts: Drafts; heard: [name: string, json: string | null][] }[] = [];

  function open() {
    const heard: [string, string | null][] = [];
    const wrote = (name: string, json: string | null) => {
      for (const tab of tabs) if (tab.heard !== heard) tab.heard.push([name, json]);
    };
    const store: TextStore = {
      get length() {
        return map.size;
      },
      key: (index) => Array.from(map.keys())[index] ?? null,
      getItem: (name) => map.get(name) ?? null,
      setItem: (name, json) => {
        map.set(name, json);
        wrote(name, json);
      },
      removeItem: (name) => {
        if (map.delete(name)) wrote(name, null);
      },
    };
    const drafts = createDrafts(store, () => {});
    const tab = {
      drafts,
      heard,
      type: (text: string, key = "a") => drafts.keep(key, { text, etag: '"1"' }),
      text: (key = "a") => drafts.get(key)?.text ?? null,
      rivals: (key = "a") => rivalsOf(drafts, key).map((rival) => drafts.get(rival)?.text ?? ""),
      async hear() {
        for (let next = heard.shift(); next !== undefined; next = heard.shift()) await drafts.stored(...next);
      },
      close() {
        drafts.flush();
        tabs.splice(tabs.indexOf(tab), 1);
      },
    };
    tabs.push(tab);
    return tab;
  }
  return {
    open,
    /** Repeats until no tab has anything to write or to hear. */
    settle: async (pages: readonly ReturnType<typeof open>[]) => {
      for (let round = 0; round < 6; round++)
        for (const page of pages) {
          page.drafts.flush();
          await page.hear();
        }
    },
    texts: () => inOrder(Array.from(map.values(), (json) => parseDraft(json)?.text ?? "")),
    size: () => map.size,
  };
}
function two() {
  const one = browser();
  return { ...one, a: one.open(), b: one.open() };
}

describe("two tabs", () => {
  test("type at once: each keeps its own text and has the other's beside it, and so has a tab that is opened later", async () => {
    const { a, b, settle, open } = two();
    a.type("Anna");
    b.type("Bert");
    await settle([a, b]);
    expect([a.text(), a.rivals()]).toEqual(["Anna", ["Bert"]]);
    expect([b.text(), b.rivals()]).toEqual(["Bert", ["Anna"]]);
    const later = open();
    expect(inOrder([later.text() ?? "", ...later.rivals()])).toEqual(["Anna", "Bert"]);
  });

  test("type by turns: it is one text", async () => {
    const { a, b, settle } = two();
    a.type("Anna");
    await settle([a, b]);
    b.type("Anna and Bert");
    await settle([a, b]);
    a.type("Anna and Bert again");
    await settle([a, b]);
    for (const tab of [a, b]) expect([tab.text(), tab.rivals()]).toEqual(["Anna and Bert again", []]);
  });

  test("one saves before the other's text is stored: that one stays", async () => {
    const { a, b, settle, texts } = two();
    a.type("Anna");
    b.type("Bert");
    b.drafts.drop("a");
    await settle([a, b]);
    expect(a.text()).toBe("Anna");
    expect(texts()).toContain("Anna");
  });

  test("one saves what it had of the other, which typed on: that stays, beside the editor", async () => {
    const { a, b, settle, texts } = two();
    a.type("Anna");
    await settle([a, b]);
    a.type("Anna goes on");
    a.drafts.flush();
    b.drafts.drop("a");
    await settle([a, b]);
    expect(a.text()).toBe("Anna goes on");
    expect([b.text(), b.rivals()]).toEqual([null, ["Anna goes on"]]);
    expect(texts()).toEqual(["Anna goes on"]);
  });

  test("one saves what both have: it is unsaved in neither, and nothing of it stays in the store", async () => {
    const { a, b, settle, size } = two();
    a.type("Anna");
    await settle([a, b]);
    b.drafts.drop("a");
    await settle([a, b]);
    expect([a.text(), b.text(), size()]).toEqual([null, null, 0]);
  });

  test.each([
    ["has heard of the text", true],
    ["hears of it later", false],
  ])("one deletes the file in which the other one types, and %s: that one keeps it, also in the store", async (_, first) => {
    const { a, b, settle, texts } = two();
    a.type("Anna");
    if (first) await settle([a, b]);
    b.drafts.leave("a");
    await settle([a, b]);
    expect([a.text(), a.rivals()]).toEqual(["Anna", []]);
    expect(texts()).toEqual(["Anna"]);
  });

  test("one deletes a file whose text it typed, or that was typed in a tab that is closed: nothing of it stays, in no tab", async () => {
    const { a, b, open, settle, size } = two();
    const c = open();
    b.type("Bert");
    await settle([a, b, c]);
    b.drafts.leave("a");
    await settle([a, b, c]);
    expect([a.text(), b.text(), c.text(), size()]).toEqual([null, null, null, 0]);
    c.type("Carl");
    await settle([a, b, c]);
    c.close();
    b.drafts.leave("a");
    await settle([a, b]);
    expect([a.text(), b.text(), size()]).toEqual([null, null, 0]);
  });

  test("one is closed at once after typing: what the other one typed overwrites nothing", async () => {
    const { a, b, settle, texts } = two();
    a.type("Anna");
    b.type("Bert");
    a.close();
    b.drafts.flush();
    expect(texts()).toEqual(["Anna", "Bert"]);
    await settle([b]);
    expect([b.text(), b.rivals()]).toEqual(["Bert", ["Anna"]]);
  });

  test.each(["Anna", "Bert", "Anna and Bert"])("a person decides for %j: all have it, and nothing else", async (text) => {
    const { a, b, settle, texts } = two();
    a.type("Anna");
    b.type("Bert");
    await settle([a, b]);
    const [rival = ""] = rivalsOf(a.drafts, "a");
    decide(a.drafts, "a", rival, { text, etag: '"1"' });
    await settle([a, b]);
    for (const tab of [a, b]) expect([tab.text(), tab.rivals()]).toEqual([text, []]);
    expect(texts()).toEqual([text]);
  });

  test("of an older version, which says nothing of ids: both texts are kept, and its text is followed", async () => {
    const { a } = two();
    a.type("Anna");
    for (const text of ["Bert", "Bert goes", "Bert goes on"]) {
      const json = JSON.stringify({ text, etag: '"1"' });
      await a.drafts.stored("vibey draft a", json);
    }
    expect([a.text(), a.rivals()]).toEqual(["Anna", ["Bert goes on"]]);
    await a.drafts.stored("vibey draft a", null);
    a.drafts.flush();
    expect([a.text(), a.rivals()]).toEqual(["Anna", []]);
  });

  test("write a message at once: it is one message in both", async () => {
    const { a, b, settle } = two();
    const key = draftKey("x");
    a.type("from A", key);
    b.type("from B", key);
    await settle([a, b]);
    for (const tab of [a, b]) createOutbox(tab.drafts).settle("x", () => []);
    await settle([a, b]);
    for (const tab of [a, b]) expect([tab.text(key), tab.rivals(key)]).toEqual(["from A\n\nfrom B", []]);
  });

  test("write a message at once, and one text has the words of the other: both are in it", async () => {
    const { a, b, settle } = two();
    const key = draftKey("x");
    a.type("not now", key);
    b.type("Rename it, but not now", key);
    await settle([a, b]);
    for (const tab of [a, b]) createOutbox(tab.drafts).settle("x", () => []);
    await settle([a, b]);
    for (const tab of [a, b]) expect([tab.text(key), tab.rivals(key)]).toEqual(["Rename it, but not now\n\nnot now", []]);
  });
});

test("two tabs write at once, each before it can see the other's text: both texts are kept", async () => {
  const { a, b, settle, texts } = two();
  a.type("Anna");
  a.drafts.flush();
  // Another process of the browser wrote just before, and this tab overwrote that without seeing it.
  await a.drafts.stored("vibey draft a", JSON.stringify({ id: "othertab1000000", text: "Bert", etag: '"1"' }));
  await settle([a, b]);
  for (const tab of [a, b]) expect([tab.text(), tab.rivals()]).toEqual(["Anna", ["Bert"]]);
  expect(texts()).toEqual(["Anna", "Bert"]);
});

test("whatever three tabs do, no word is lost that nobody has decided about", async () => {
  const step = tuple(constantFrom(0, 1, 2), constantFrom("type", "flush", "hear", "reload"));
  await assert(
    asyncProperty(array(step, { maxLength: 40 }), async (steps) => {
      const one = browser();
      const pages = [one.open(), one.open(), one.open()];
      let count = 0;
      for (const [at, what] of steps) {
        const page = pages[at];
        if (page === undefined) continue;
        if (what === "type") page.type(`${page.text() ?? ""}<${count++}>`);
        else if (what === "flush") page.drafts.flush();
        else if (what === "hear") await page.hear();
        else {
          page.close();
          pages[at] = one.open();
        }
      }
      await one.settle(pages);
      const [first] = pages;
      const shown = [first?.text(), ...(first?.rivals() ?? [])].join();
      const stored = one.texts().join();
      for (let word = 0; word < count; word++) {
        expect(shown).toContain(`<${word}>`);
        expect(stored).toContain(`<${word}>`);
      }
    }),
    { numRuns: 500 },
  );
});
