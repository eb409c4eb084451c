import { afterEach, expect, test, vi } from "vitest";
import { deleteDeed, openDialogStream, readDeed, readDialog, readFile, writeDeed } from "../../../../src/app/model/api/calls.ts";
import { readCommit, readDiff } from "../../../../src/app/model/api/history.ts";

afterEach(() => vi.unstubAllGlobals());

/** Records the URLs to which requests are sent, as the browser resolves them. */
function sentTo(): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(new URL(path, "https://host.example/vibey/").pathname);
    return Response.json({});
  });
  return asked;
}

// These paths come from a page's address, and anyone can write a link such as `#/deed/../../other`.
test.each<[string, () => Promise<unknown>]>([
  ["a file of the deed", () => readDeed("../../other/secret")],
  ["a file of the deed, in the middle", () => readDeed("a/../../provider/claude")],
  ["one dot", () => readDeed("./x")],
  ["what is written", () => writeDeed("../provider/claude", "{}")],
  ["what is deleted", () => deleteDeed("../keys/claude")],
  ["a doc", () => readFile("..")],
  ["a dialog", () => readDialog("..")],
  ["a dialog's stream", () => openDialogStream("..", new AbortController().signal)],
  ["a commit", () => readCommit("..")],
  ["a file of a commit", () => readDiff("c0ffee", "../../../dialog/x")],
])("no request leads to another place: %s", async (_, call) => {
  const asked = sentTo();
  expect(await call()).toMatchObject({ ok: false, kind: "missing" });
  expect(asked).toEqual([]);
});

test("names with dots are asked for as they stand", async () => {
  const asked = sentTo();
  await readDeed(".git/config");
  await readDeed("a..b/...c/..d/e..");
  await readDeed("%2e%2e/x");
  await readDialog("..x");
  expect(asked).toEqual(["/vibey/deed/.git/config", "/vibey/deed/a..b/...c/..d/e..", "/vibey/deed/%252e%252e/x", "/vibey/dialog/..x"]);
});
