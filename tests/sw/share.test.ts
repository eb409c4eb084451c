import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { inboxLimits, openInbox } from "../../src/app/share/inbox.ts";
import { isShare, takeShare } from "../../src/sw/share.ts";

const scope = new URL("https://app.example/vibey/");

const posted = (fields: Readonly<Record<string, string | File>>): Request => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return new Request(`${scope.href}share`, { method: "POST", body });
};

const opened = (answer: Response) => answer.headers.get("location");

async function waiting() {
  const inbox = await openInbox();
  try {
    return await inbox.all();
  } finally {
    inbox.close();
  }
}

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

describe("what is a share", () => {
  const share = { method: "POST", mode: "navigate", destination: "document", url: `${scope.href}share` } as const;

  test("a form that is posted to its address in a tab of its own", () => expect(isShare(share, scope)).toBe(true));

  test.each([
    ["a frame", { destination: "iframe" }],
    ["a request of a script", { mode: "cors", destination: "" }],
    ["an address that is opened", { method: "GET" }],
    ["another address", { url: `${scope.href}shared` }],
  ] as const)("not %s", (_, other) => expect(isShare({ ...share, ...other }, scope)).toBe(false));
});

test("what is shared waits, and the page opens", async () => {
  const answer = await takeShare(posted({ title: "T", text: "a", url: "https://x.example/", files: new File(["12"], "a.txt") }), scope);
  expect([answer.status, opened(answer)]).toEqual([303, `${scope.href}#/shared`]);
  expect((await waiting()).map(({ title, text, files }) => [title, text, files.length])).toEqual([["T", "a\n\nhttps://x.example/", 1]]);
});

test("without anything in it nothing is kept", async () => {
  expect(opened(await takeShare(posted({ title: "" }), scope))).toBe(`${scope.href}#/shared`);
  expect(await waiting()).toEqual([]);
});

test("one for which there is no room is told of", async () => {
  for (let n = 0; n < inboxLimits.arrivals; n += 1) await takeShare(posted({ text: `${n}` }), scope);
  expect(opened(await takeShare(posted({ text: "one more" }), scope))).toBe(`${scope.href}#/shared-full`);
  expect(await waiting()).toHaveLength(inboxLimits.arrivals);
});

describe("the page opens, and says that it was not kept,", () => {
  test.each<[string, () => Promise<Response>]>([
    ["when the form can't be read", () => takeShare(new Request(`${scope.href}share`, { method: "POST", body: "no form" }), scope)],
    [
      "when the storage refuses",
      () =>
        takeShare(posted({ text: "a" }), scope, async () => ({
          ...(await openInbox()),
          put: () => Promise.reject(new DOMException("no room", "QuotaExceededError")),
        })),
    ],
  ])("%s", async (_, take) => {
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    try {
      expect(opened(await take())).toBe(`${scope.href}#/shared-full`);
      expect(said).toHaveBeenCalledOnce();
    } finally {
      said.mockRestore();
    }
  });
});
