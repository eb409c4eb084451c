import { describe, expect, test } from "vitest";
import { checkDialogs, type FoundDialogs } from "../../chaos/kills/check-dialogs.ts";
import { type Ack, checkZip, type Ledger, newLedger, note } from "../../chaos/kills/ledger.ts";
import { checkRestored } from "../../chaos/kills/loss.ts";
import { checkVersion } from "../../chaos/kills/versions.ts";

/** Checks with hand-made examples that the kill campaign detects everything lost, torn or done twice. */

const version = (name: string, number: number, lines = 3): string => `${name} version ${number} of ${lines} lines\n`.repeat(lines);

describe("files", () => {
  test.each([
    ["the acknowledged version", version("a.md", 5), 5, 5],
    ["the one that was on its way", version("a.md", 6), 5, 6],
    ["nothing yet", null, 0, 0],
    ["a removal that was on its way", null, 6, 7],
  ])("%s is what may be found", (_what, text, acknowledged, expected) => {
    expect(checkVersion(text === null && acknowledged === 6 ? "a.txt" : "a.md", text, acknowledged)).toBe(expected);
  });

  test.each([
    ["an older version", version("a.md", 4), "a.md is version 4; version 5 was acknowledged"],
    ["one that nobody wrote", version("a.md", 9), "a.md is version 9; version 5 was acknowledged"],
    ["no file", null, "a.md is gone; version 5 was acknowledged"],
    ["a text cut short", version("a.md", 5).slice(0, -4), "a.md is torn: it begins as version 5 and is not that"],
    ["two versions mixed", version("a.md", 5, 2) + version("a.md", 6, 1), "a.md is torn: it begins as version 5 and is not that"],
    ["an empty text", "", 'a.md begins with ""'],
    ["another file's text", version("b.md", 5), 'a.md begins with "b.md version 5 of 3 lines"'],
  ])("%s is told", (_what, text, told) => {
    expect(checkVersion("a.md", text, 5)).toBe(told);
  });

  test("a zip with an old, a torn or a missing doc is told, a file that was removed meanwhile is not", () => {
    const contents = new Map([
      ["vibey/old.md", version("old.md", 2)],
      ["vibey/torn.md", `${version("torn.md", 3)}x`],
      ["vibey/good.md", version("good.md", 4)],
    ]);
    expect(checkZip(contents, { "old.md": 3, "torn.md": 3, "missing.md": 1, "good.md": 3, "one.txt": 4 })).toEqual([
      "a zip has version 2 of old.md; 3 was acknowledged",
      "in a zip torn.md is torn: it begins as version 3 and is not that",
      "a zip lacks missing.md",
    ]);
  });
});

const filename = "dialog-20261122-120000-t0-0-done.md";
const block = (id: string, decision: string, result: string): string =>
  `---\nTool request: run_command [${id}]\n\n    {"command": "echo"}\n\n${decision}${result}\n---\n`;
const yes = "Decision: approved\nStarted: 2026-11-22T12:00:00.000Z\n";
const success = 'Result:\n\n    {"success": true}\n';
const markdown = (text: string, calls: string): string =>
  `# Dialog\n> Format: 1\n> Provider: claude\n\n## User\n> Time: 2026-11-22T12:00:00.000Z\n\nDo it.\n\n## Assistant\n> Time: 2026-11-22T12:00:00.000Z - 2026-11-22T12:00:01.000Z\n\n${text}\n\n${calls}`;

function ledger(): Ledger {
  const made = newLedger();
  const acks: Ack[] = [
    { of: "new", tag: "t0-0", id: "one" },
    { of: "prompt", id: "one", text: "Do it." },
    { of: "asked", id: "one", calls: ["call_a"] },
    { of: "decided", id: "one", decisions: [{ id: "call_a", approved: true }] },
    { of: "turn", id: "one", content: "n0. n1. n2.", succeeded: ["call_a"] },
    { of: "status", id: "one", status: "done" },
  ];
  for (const ack of acks) note(made, ack);
  return made;
}

function found(file: string, log: readonly string[] = ["call_a"], name = filename): FoundDialogs {
  const status = name.includes("-done") ? "done" : "waiting";
  return { files: [name], listing: [{ dialogId: "one", filename: name, status }], dialogs: { one: { markdown: file, log } } };
}

describe("dialogs", () => {
  const whole = markdown("n0. n1. n2.", block("call_a", yes, success));

  test("what was acknowledged is there", () => {
    expect(checkDialogs(ledger(), found(whole))).toEqual([]);
  });

  test.each([
    ["a torn file", found(whole.slice(8)), "its file is torn"],
    ["a lost prompt", found(whole.replace("Do it.", "Do what?")), "its prompts are"],
    ["a lost call", found(markdown("n0. n1. n2.", ""), []), "the call call_a was shown, and is lost"],
    ["a lost decision", found(markdown("n0. n1. n2.", block("call_a", "", "")), []), "call_a was approved, and reads null"],
    ["a lost result", found(markdown("n0. n1. n2.", block("call_a", yes, ""))), "the result of call_a was shown"],
    ["text that is lost in the middle", found(whole.replace("n1. ", "")), "n2 stands where n1 belongs"],
    ["text that is lost at the end", found(whole.replace(" n2.", "")), "text of a turn that had ended is lost"],
    ["a call that ran twice", found(whole, ["call_a", "call_a"]), "call_a ran 2 times"],
    ["a success that never ran", found(whole, []), "call_a succeeded and ran 0 times"],
    ["a run that no file tells of", found(whole, ["call_a", "call_b"]), "call_b ran, and no file has such a call"],
    ["a lost status", found(whole, ["call_a"], filename.replace("done", "waiting")), "one is waiting; done was acknowledged"],
    ["a lost dialog", { files: [], listing: [], dialogs: {} }, "one (t0-0) is lost"],
  ])("%s is told", (_what, state, told) => {
    expect(checkDialogs(ledger(), state).join("\n")).toContain(told);
  });

  test("a second file of a dialog is told, in the list and beside it", () => {
    const state = found(whole);
    const second = filename.replace("done", "waiting");
    expect(checkDialogs(ledger(), { ...state, files: [filename, second] }).join("\n")).toContain("the files are");
    const twice = [...state.listing, { dialogId: "one", filename: second, status: "waiting" }];
    expect(checkDialogs(ledger(), { ...state, files: [filename, second], listing: twice })).toContain("one has more than one file");
  });

  test("a dialog that was removed stays away, and one that was being removed may be gone", () => {
    const gone = { files: [], listing: [], dialogs: {} };
    const leaving = ledger();
    leaving.leaving.add("one");
    expect(checkDialogs(leaving, gone)).toEqual([]);
    const removed = ledger();
    note(removed, { of: "removed", id: "one" });
    expect(checkDialogs(removed, gone)).toEqual([]);
    expect(checkDialogs(removed, found(whole))).toEqual(["one is there again; its removal was acknowledged"]);
  });
});

describe("a project that came back from its second copy", () => {
  const promised = (): Ledger => {
    const made = newLedger();
    made.fileAcks.set("a.md", [
      { version: 1, time: 10 },
      { version: 2, time: 20 },
      { version: 3, time: 30 },
    ]);
    made.fileAcks.set("b.txt", [{ version: 6, time: 10 }]);
    note(made, { of: "new", tag: "t", id: "d" });
    return made;
  };
  const restored = (files: Readonly<Record<string, string | null>>, at: number, dialogs: readonly string[] = ["d"]) =>
    checkRestored(
      promised(),
      {
        versions: files,
        listing: dialogs.map((dialogId) => ({ dialogId, filename: `dialog-${dialogId}-waiting.md`, status: "waiting" })),
        dialogs: Object.fromEntries(dialogs.map((id) => [id, { markdown: "# Dialog\n> Format: 1\n", log: [] }])),
      },
      at,
    );

  test.each([
    ["what was acknowledged before the copy", { "a.md": version("a.md", 2), "b.txt": version("b.txt", 6) }, 25],
    ["what is newer than the copy says", { "a.md": version("a.md", 3) }, 25],
    ["a removal that was on its way", { "b.txt": null }, 25],
    ["nothing, where nothing was acknowledged before", { "a.md": null }, 5],
  ])("%s may be found", (_what, files, at) => expect(restored(files, at)).toEqual([]));

  test.each([
    ["an older version", { "a.md": version("a.md", 1) }, "the copy has version 1 of a.md; version 2 was acknowledged before it"],
    ["no file", { "a.md": null }, "a.md is not in the copy; version 2 was acknowledged before it"],
    ["a torn file", { "a.md": `${version("a.md", 2)}x` }, "a.md is torn: it begins as version 2 and is not that"],
  ])("%s is told", (_what, files, told) => expect(restored(files, 25)).toEqual([told]));

  test("a dialog that is not there is told, if it was made before the copy", () => {
    expect(restored({}, 5, [])).toEqual([]);
    expect(restored({}, Date.now() + 1, [])).toEqual(["d (t) is not in the copy"]);
  });
});
