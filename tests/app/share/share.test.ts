import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, test } from "vitest";
import { bytesOf, type Handed, inboxLimits, openInbox } from "../../../src/app/share/inbox.ts";
import { itemsOf, nameFrom } from "../../../src/app/share/items.ts";

const handed = (title: string, text = "", files: readonly File[] = []): Handed => ({ title, text, files });
const file = (name: string, content: BlobPart) => new File([content], name);

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

describe("the inbox", () => {
  test("keeps what comes in its order until it is taken out", async () => {
    const inbox = await openInbox();
    expect([await inbox.put(handed("one")), await inbox.put(handed("two", "text"))]).toEqual([true, true]);
    const [first] = await inbox.all();
    await inbox.remove(first?.id ?? -1);
    expect((await inbox.all()).map(({ title, text }) => [title, text])).toEqual([["two", "text"]]);
    inbox.close();
  });

  test("keeps no more than it has room for, and says so", async () => {
    const inbox = await openInbox();
    for (let n = 0; n < inboxLimits.arrivals; n += 1) expect(await inbox.put(handed(`${n}`))).toBe(true);
    expect(await inbox.put(handed("one more"))).toBe(false);
    expect(await inbox.all()).toHaveLength(inboxLimits.arrivals);
    inbox.close();
  });

  test("keeps no more files than a list of them can show, whoever posts them", async () => {
    const inbox = await openInbox();
    const some = (count: number) => Array.from({ length: count }, (_, at) => file(`${at}`, ""));
    expect(await inbox.put(handed("", "", some(inboxLimits.files + 1)))).toBe(false);
    expect(await inbox.put(handed("", "", some(inboxLimits.files - 1)))).toBe(true);
    expect([await inbox.put(handed("", "", some(2))), await inbox.put(handed("", "", some(1)))]).toEqual([false, true]);
    expect((await inbox.all()).map(({ files }) => files.length)).toEqual([inboxLimits.files - 1, 1]);
    inbox.close();
  });

  test("counts texts and files in bytes", () => expect(bytesOf(handed("ab", "c", [file("x", "1234")]))).toBe(10));
});

describe("what can become of it", () => {
  test.each<[string, Handed, string[]]>([
    ["a text", handed("Notes on Tea", "Pour."), ["text notes-on-tea: Pour."]],
    ["a title alone", handed("An idea"), ["text an-idea: An idea"]],
    ["a page of markdown", handed("", "", [file("Plan B.md", "# B")]), ["text plan-b: # B"]],
    ["a zip", handed("", "", [file("all.ZIP", "PK")]), ["zip all.ZIP"]],
    ["what is no text", handed("", "", [file("p.png", new Uint8Array([0x89, 0x50, 0xff]))]), ["file p.png"]],
    ["several", handed("t", "x", [file("a.txt", "a"), file("b.zip", "b")]), ["text t: x", "text a: a", "zip b.zip"]],
    ["nothing", handed(""), []],
    ["a text that is too long for a doc", handed("Notes", "x".repeat(2_000_001)), ["file notes.txt"]],
    ["a title that is", handed("x ".repeat(1_000_001)), [`file ${"x-".repeat(30)}.txt`]],
  ])("%s", async (_, given, expected) => {
    const items = await itemsOf({ ...given, id: 1 });
    expect(items.map((item) => (item.kind === "text" ? `text ${item.name}: ${item.text}` : `${item.kind} ${item.name}`))).toEqual(expected);
  });

  test.each([
    ["Größe & Maß", "gro-e-ma"],
    ["../../etc/passwd", "etc-passwd"],
    ["日本語", "shared"],
    ["", "shared"],
    // As doc-main.md it could bring permissions along.
    ["Main", "shared"],
    ["doc-main.md", "doc-main-md"],
    ["x".repeat(300), "x".repeat(60)],
  ])("%j is called %j", (called, name) => expect(nameFrom(called)).toBe(name));
});
