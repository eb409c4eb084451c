/** An open file while another tab, an agent or the network changes the stored text: no word is lost, and no outdated sentence stays. */
import { render } from "solid-js/web";
import { afterEach, describe, expect, test, vi } from "vitest";
import Conflict from "../../../src/app/docs/Conflict.tsx";
import { human } from "../../../src/fs/actor.ts";
import * as t from "../../../src/app/texts/docs.ts";
import { live } from "../../live-event.ts";
import { engineWith, five, key, main, pageOf, read, typedThere } from "./page-of.ts";

const mine = five.replace("one", "ONE");
const other = five.replace("one", "uno");

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

async function openPage() {
  const engine = engineWith({ text: five, version: 3 });
  engine.start();
  const page = pageOf();
  await read(page);
  const isWritten = () => page.emit(live({ type: "file", data: { name: "doc-main.md", change: "changed" } }, { actor: human }));
  return { engine, page, isWritten };
}

/** Shows both versions: the user's, based on version 3, and the file's other text in version 4. */
async function conflict(text = other) {
  const parts = await openPage();
  parts.page.type(mine);
  parts.engine.change({ text, version: 4 });
  parts.isWritten();
  await expect.poll(parts.page.shown).toMatchObject({ text: mine, theirs: text });
  return parts;
}

describe("while both versions are shown", () => {
  test("the file is deleted: mine can be saved", async () => {
    const { engine, page, isWritten } = await conflict();
    engine.change("gone");
    isWritten();
    await expect.poll(page.shown).toMatchObject({ text: mine, dirty: true, theirs: null });
    expect(page.file.problem()).toBe(t.deletedMeanwhile);
    await page.file.save();
    expect(engine.written).toEqual([mine]);
    await expect.poll(page.file.problem).toBeNull();
    page.leave();
  });

  test("the stored text is again what mine was made from: there is nothing to choose", async () => {
    const { engine, page, isWritten } = await conflict();
    engine.change({ text: five, version: 5 });
    isWritten();
    await expect.poll(page.shown).toMatchObject({ text: mine, dirty: true, theirs: null });
    await page.file.save();
    expect(engine.written).toEqual([mine]);
    page.leave();
  });

  test("an empty version is one to choose, too", async () => {
    const { page } = await conflict("");
    const place = document.body.appendChild(document.createElement("div"));
    const end = render(() => <Conflict file={page.file} target={main} />, place);
    expect(place.querySelector("textarea")?.value).toBe("");
    expect(place.querySelectorAll(".buttons button")).toHaveLength(2);
    end();
    place.remove();
    page.leave();
  });
});

test("a long version is put into the page in parts, all of it", async () => {
  const text = `${"word ".repeat(12)}\u202E\n`.repeat(4_000);
  const { page } = await conflict(text);
  const place = document.body.appendChild(document.createElement("div"));
  const end = render(() => <Conflict file={page.file} target={main} />, place);
  expect(place.querySelector("textarea")).toBeNull();
  const shown = () => place.querySelector(".long")?.textContent.length ?? 0;
  expect(shown()).toBeLessThan(text.length);
  await expect.poll(shown).toBeGreaterThanOrEqual(text.length);
  end();
  place.remove();
  page.leave();
});

test("another tab's text is made from a version that this one has not read yet: what comes next is merged", async () => {
  const { engine, page, isWritten } = await openPage();
  page.type(mine);
  const theirs = mine.replace("five", "FIVE");
  engine.change({ text: five.replace("five", "FIVE"), version: 5 });
  await typedThere(page, { text: theirs, etag: '"5"' });
  isWritten();
  await expect.poll(page.file.saved).toBe(five.replace("five", "FIVE"));
  expect(page.shown()).toMatchObject({ text: theirs, theirs: null });
  engine.change({ text: five.replace("five", "FIVE").replace("three", "THREE"), version: 6 });
  isWritten();
  await expect.poll(page.shown).toMatchObject({ text: theirs.replace("three", "THREE"), theirs: null });
  page.leave();
});

test("what is typed while a change of other lines is read is merged with it", async () => {
  const { engine, page, isWritten } = await openPage();
  engine.change({ text: five.replace("five", "FIVE"), version: 4 });
  isWritten();
  page.type(mine);
  await expect.poll(page.shown).toMatchObject({ text: mine.replace("five", "FIVE"), dirty: true, theirs: null });
  page.leave();
});

test("a failure that was typed away is no longer told", async () => {
  const { engine, page } = await openPage();
  page.type(mine);
  engine.change("failing");
  await page.file.save();
  expect(page.file.problem()).not.toBeNull();
  page.type(five);
  expect(page.file.problem()).toBeNull();
  page.leave();
});

test("a file that is no longer shown takes nothing of what comes late", async () => {
  const { engine, page, isWritten } = await openPage();
  page.type(mine);
  engine.change({ text: five.replace("five", "FIVE"), version: 4 });
  isWritten();
  page.leave();
  page.drafts.keep(key, { text: "typed after that\n", etag: '"3"' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(page.drafts.get(key)?.text).toBe("typed after that\n");
});

test("the file is deleted, and only another tab had typed into it: that text is shown, and can be saved", async () => {
  const engine = engineWith("gone");
  engine.start();
  const page = pageOf();
  page.drafts.keep(`${key}\nothertab1`, { text: other, etag: '"3"' });
  await read(page);
  await expect.poll(page.shown).toMatchObject({ kind: "text", text: other, dirty: true });
  await page.file.save();
  expect(engine.written).toEqual([other]);
  page.leave();
});

test("text of a file that was deleted is not written over one that has its name now", async () => {
  const { engine, page, isWritten } = await openPage();
  page.type(mine);
  engine.change("gone");
  isWritten();
  await expect.poll(page.file.problem).toBe(t.deletedMeanwhile);
  engine.change({ text: other, version: 9 });
  await page.file.save();
  expect(engine.written).toEqual([]);
  expect(page.shown()).toMatchObject({ text: mine, theirs: other });
  expect(page.file.problem()).toBeNull();
  page.leave();
});
