import { describe, expect, test } from "vitest";
import { addBelow, createOutbox, draftKey, draftsOf, editKey } from "../../../src/app/dialogs/drafts.ts";
import { createDrafts } from "../../../src/app/docs/drafts.ts";
import { browserStorage } from "../browser-storage.ts";

/** A page with storage that outlives it. `box`: the text in the composer of the dialog `a`. */
function page(storage = browserStorage()) {
  const drafts = createDrafts(storage, (write) => write());
  const outbox = createOutbox(drafts);
  const box = () => drafts.get(draftKey("a"))?.text ?? "";
  const type = (text: string) => drafts.keep(draftKey("a"), { text, etag: null });
  /** The engine reports the person's own messages in the dialog. */
  const dialogSays = (...messages: string[]) => outbox.settle("a", (after) => messages.slice(after));
  return { storage, drafts, outbox, box, type, dialogSays };
}

describe("a message on its way", () => {
  test("is out of the box at once, and nowhere once it is taken", () => {
    const { drafts, outbox, box, type } = page();
    type("hello");
    const end = outbox.begin("a", "hello", 0);
    expect(box()).toBe("");
    end(true);
    expect(drafts.keys().size).toBe(0);
  });

  test("is back when it was refused, before what was written meanwhile", () => {
    const { outbox, box, type } = page();
    const end = outbox.begin("a", "first", 0);
    type("second");
    end(false);
    expect(box()).toBe("first\n\nsecond");
  });

  test("is back in a box that is open: it hears of the text, as of one from another tab", () => {
    const { drafts, outbox } = page();
    const end = outbox.begin("a", "first", 0);
    end(false);
    expect(drafts.elsewhere()?.key).toBe(draftKey("a"));
    addBelow(drafts, "b", "a file");
    addBelow(drafts, "b", "another");
    expect([drafts.elsewhere()?.key, drafts.get(draftKey("b"))?.text]).toEqual([draftKey("b"), "a file\n\nanother"]);
  });

  test("stays beside a second one, also in another tab, and comes back when it is refused", () => {
    const { storage, drafts, outbox, box } = page();
    const endOld = outbox.begin("a", "old", 0);
    const endNew = outbox.begin("a", "new", 0);
    const other = page(storage);
    other.outbox.begin("a", "of another tab", 0)(true);
    endNew(true);
    endOld(false);
    expect(box()).toBe("old");
    expect(Array.from(drafts.keys())).toEqual([draftKey("a")]);
  });

  test("that was stored although no answer came is taken out of the box again", () => {
    const { outbox, box, drafts, dialogSays } = page();
    const end = outbox.begin("a", "hello", 1);
    expect(dialogSays("old", "hello")).toBe(false);
    end(false);
    expect(box()).toBe("hello");
    expect(dialogSays("old")).toBe(false);
    expect(dialogSays("old", "hello")).toBe(true);
    expect([box(), drafts.keys().size]).toEqual(["", 0]);
  });

  test("of another dialog stays out of it", () => {
    const { outbox, box } = page();
    outbox.begin("b", "hello", 0)(false);
    expect(box()).toBe("");
  });
});

describe("a page that went away in mid-sending", () => {
  const left = () => {
    const before = page();
    before.outbox.begin("a", "hello\r\n  there ", 2);
    return page(before.storage);
  };

  test("has the message in the box again when the dialog does not have it", () => {
    const { box, dialogSays } = left();
    dialogSays("old", "older");
    expect(box()).toBe("hello\r\n  there ");
  });

  test("left by a version that kept one message of a dialog, has it too", () => {
    const { drafts, box, dialogSays } = page();
    drafts.keep("sent:a", { text: "old", etag: null, sentAfter: 0 });
    drafts.keep("sent:a\nof-a-tab", { text: "older", etag: null, sentAfter: 0 });
    drafts.keep("sent:ab:1", { text: "another dialog's", etag: null, sentAfter: 0 });
    dialogSays("older");
    expect(box()).toBe("old");
    expect(Array.from(drafts.keys())).toEqual(["sent:ab:1", draftKey("a")]);
  });

  test("has two of them in the order in which they were written", () => {
    const before = page();
    before.outbox.begin("a", "first", 0);
    before.outbox.begin("a", "second", 0);
    const { box, dialogSays } = page(before.storage);
    dialogSays();
    expect(box()).toBe("first\n\nsecond");
  });

  test("does not have it twice when the dialog has it", () => {
    const { box, drafts, dialogSays } = left();
    dialogSays("old", "older", "hello\n  there");
    expect(box()).toBe("");
    expect(drafts.keys().size).toBe(0);
  });

  test("gives it up when it comes late", () => {
    const { box, dialogSays } = left();
    dialogSays("old", "older");
    dialogSays("old", "older", "hello\n  there");
    expect(box()).toBe("");
  });

  test("keeps what the person has changed since", () => {
    const { box, type, dialogSays } = left();
    dialogSays("old", "older");
    type("hello there, once more");
    dialogSays("old", "older", "hello\n  there");
    expect(box()).toBe("hello there, once more");
  });

  test("takes an earlier message of the same words for what it is", () => {
    const { box, dialogSays } = left();
    dialogSays("hello\n  there", "older");
    expect(box()).toBe("hello\r\n  there ");
  });
});

test("while the engine has not answered, the dialog is not asked", () => {
  const { outbox, box, dialogSays } = page();
  outbox.begin("a", "hello", 0);
  dialogSays();
  expect(box()).toBe("");
});

test("what goes with a deleted dialog is all that was typed for it, and comes back", () => {
  const { drafts, outbox, type } = page();
  type("unsent");
  drafts.keep(editKey("a", 2), { text: "said anew", etag: null });
  drafts.keep(editKey("ab", 0), { text: "another dialog's", etag: null });
  const kept = draftsOf(drafts, "a");
  outbox.drop("a");
  expect(Array.from(drafts.keys())).toEqual([editKey("ab", 0)]);
  for (const { key, draft } of kept) drafts.keep(key, draft);
  expect([drafts.get(draftKey("a"))?.text, drafts.get(editKey("a", 2))?.text]).toEqual(["unsent", "said anew"]);
});
