import { afterEach, expect, test, vi } from "vitest";
import { createDrafts } from "../../../src/app/docs/drafts.ts";
import { removeFile } from "../../../src/app/docs/removal.ts";
import { createNotices } from "../../../src/app/ui/notices.ts";
import { browserStorage } from "../browser-storage.ts";

afterEach(() => vi.unstubAllGlobals());

/** Deletes `doc-a.md` in an engine that has these files and answers reads with `reading`. */
async function remove(files: Map<string, string>, reading: () => Response) {
  vi.stubGlobal("fetch", async (path: string, { method = "GET", headers, body }: RequestInit = {}) => {
    const name = decodeURIComponent(path.split("/")[1] ?? "");
    if (method === "GET") return reading();
    if (method === "DELETE" && new Headers(headers).get("If-Match") === '"old"')
      return Response.json({ error: `${name} was changed meanwhile; nothing was stored` }, { status: 412 });
    if (method === "DELETE") return files.delete(name) ? Response.json({ ok: true }) : Response.json({ error: "gone" }, { status: 404 });
    if (new Headers(headers).get("If-None-Match") === "*" && files.has(name))
      return Response.json({ error: `${name} exists already; nothing was stored` }, { status: 412 });
    if (typeof body === "string") files.set(name, JSON.parse(body).content);
    return Response.json({ ok: true, name });
  });
  const notices = createNotices();
  await removeFile({ kind: "doc", name: "doc-a.md" }, "a", {
    drafts: createDrafts(browserStorage(), (write) => write()),
    files: { refresh: async () => undefined } as never,
    notices,
    router: { go: () => undefined, replace: () => undefined } as never,
    isOpen: () => false,
  });
  return notices;
}

test("a file that can't be read is not deleted, and that is said", async () => {
  const files = new Map([["doc-a.md", "words"]]);
  const notices = await remove(files, () => Response.json({ error: "the storage failed" }, { status: 500 }));
  expect(files.get("doc-a.md")).toBe("words");
  expect(notices.list().map(({ message, action }) => [message, action?.label])).toEqual([
    [expect.stringContaining("the storage failed"), undefined],
  ]);
});

test("Undo brings a file back, and not over another one that has its name by then", async () => {
  const files = new Map([["doc-a.md", "words"]]);
  const read = () => Response.json({ name: "doc-a.md", content: "words" });
  const first = await remove(files, read);
  expect(files.size).toBe(0);
  first.list()[0]?.action?.run();
  await vi.waitFor(() => expect(files.get("doc-a.md")).toBe("words"));

  const second = await remove(files, read);
  files.set("doc-a.md", "of an agent");
  second.list()[0]?.action?.run();
  await vi.waitFor(() => expect(second.list().some(({ message }) => message.includes("exists already"))).toBe(true));
  expect(files.get("doc-a.md")).toBe("of an agent");
});

test("a version that was stored meanwhile is not deleted", async () => {
  const files = new Map([["doc-a.md", "newer words"]]);
  const notices = await remove(files, () => Response.json({ name: "doc-a.md", content: "words" }, { headers: { ETag: '"old"' } }));
  expect(files.get("doc-a.md")).toBe("newer words");
  expect(notices.list().map(({ message, action }) => [message, action?.label])).toEqual([
    [expect.stringContaining("was changed meanwhile"), undefined],
  ]);
});
