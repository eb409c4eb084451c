import { describe, expect, test } from "vitest";
import { buildScript } from "../../../src/app/preview/build/script.ts";
import { createServed, type Form } from "../../../src/app/preview/served/service.ts";
import { keyOf, siteOf } from "../../../src/app/preview/served/servers.ts";
import type { ServerView } from "../../../src/protocol/index.ts";

type Answer = { readonly status?: number; readonly type?: string; readonly body?: string; readonly url?: string };

const site = { dialogId: "one", port: 3000 };

/** A page of a server with these answers, by path; `asked` records its requests. */
function open(answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const served = createServed(
    async ({ dialogId, port }, { method, path, headers }, body) => {
      asked.push(
        [dialogId, port, method, path, ...headers.map(String), ...(body === null ? [] : [new TextDecoder().decode(body)])].join(" "),
      );
      const found = answers[path];
      if (found === undefined) return { ok: false, kind: "missing", message: "Nothing listens" };
      const { status = 200, type, body: content = "", url = `http://localhost:3000${path}` } = found;
      const sent: [string, string][] = [["set-cookie", "a=b"], ...(type === undefined ? [] : [["content-type", type] as [string, string]])];
      return { ok: true, value: { url, status, statusText: "", headers: sent, body: new TextEncoder().encode(content) }, etag: null };
    },
    async (source) => buildScript(source),
  );
  return { asked, served, find: (question: Record<string, unknown>) => served.found(question, site) };
}
const html = "accept,text/html,application/xhtml+xml,*/*;q=0.8";

describe("the document", () => {
  test.each<[string, Answer, object]>([
    ["is what its type says", { type: "text/html;charset=utf-8", body: "x" }, { mime: "text/html;charset=utf-8", text: "x" }],
    ["is a page without a type, where it begins as one", { body: " <!doctype html>" }, { mime: "text/html", text: " <!doctype html>" }],
    ["is text without a type otherwise", { body: "1 < 2" }, { mime: "text/plain", text: "1 < 2" }],
    [
      "is shown though the server says that there is none",
      { status: 404, type: "text/html", body: "none" },
      { mime: "text/html", text: "none" },
    ],
    ["may be an image", { type: "image/png", body: "x" }, { mime: "image/png" }],
  ])("%s", async (_what, answer, expected) => {
    const { find } = open({ "/a?b": answer });
    expect(await find({ as: "document", path: "a?b" })).toEqual({ ...expected, at: { path: "a", search: "?b" } });
  });

  test("is where the server led to; of another port it is none, and neither is one that can't be reached", async () => {
    const { find } = open({ "/a": { url: "http://localhost:3000/b/?c" }, "/d": { url: "http://localhost:4000/" } });
    expect(await find({ as: "document", path: "a" })).toMatchObject({ at: { path: "b/", search: "?c" } });
    expect(await find({ as: "document", path: "d" })).toEqual({
      problem: "The page leads to http://localhost:4000/, which is another server.",
    });
    expect(await find({ as: "document", path: "e" })).toEqual({ problem: "Nothing listens" });
  });

  test("is sent a form once", async () => {
    const { find, served, asked } = open({ "/a": {} });
    served.begin({ type: "text/plain", blob: new Blob(["x=1"]) } satisfies Form);
    await find({ as: "document", path: "a" });
    await find({ as: "document", path: "a" });
    expect(asked).toEqual([`one 3000 POST /a ${html} content-type,text/plain origin,http://localhost:3000 x=1`, `one 3000 GET /a ${html}`]);
  });
});

test("files are asked for once a page; what is not there is missing", async () => {
  const { find, served, asked } = open({ "/a": { body: "x" }, "/b": { status: 404 } });
  expect([await find({ as: "text", path: "a" }), await find({ as: "text", path: "a" })]).toEqual([{ text: "x" }, { text: "x" }]);
  expect([await find({ as: "file", path: "b" }), await find({ as: "module", path: "b" })]).toEqual([null, null]);
  await expect(find({ as: "file", path: "c" })).rejects.toThrow("Nothing listens");
  expect(asked).toHaveLength(3);
  served.begin(null);
  await find({ as: "text", path: "a" });
  expect(asked).toHaveLength(4);
});

test("files of a page are kept up to 64 MB; then those that were not used for longest are asked for again", async () => {
  const body = "x".repeat(30_000_000);
  const { find, asked } = open({ "/a": { body }, "/b": { body }, "/c": { body } });
  for (const path of ["a", "b", "a", "c", "a", "b"]) await find({ as: "file", path });
  expect(asked.map((each) => each.split(" ")[3])).toEqual(["/a", "/b", "/c", "/b"]);
});

test("a request of a script is asked each time, with the site's origin and no other; cookies stay with the server", async () => {
  const { find, asked } = open({ "/a": { body: "x" } });
  const question = { as: "request", path: "a", method: "PUT", headers: [["Origin", "https://x"], ["a", "b"], "c"], body: new Blob(["y"]) };
  expect(await find(question)).toMatchObject({ status: 200, url: "http://localhost:3000/a", headers: [] });
  await find({ ...question, method: "GET", body: "no blob" });
  expect(asked).toEqual(["one 3000 PUT /a a,b origin,http://localhost:3000 y", "one 3000 GET /a a,b"]);
  expect(await find({ ...question, body: new Blob([new Uint8Array(16_000_001)]) })).toEqual({ problem: "A request can send up to 16 MB." });
  expect(await find({ as: "nonsense" })).toEqual({ problem: "The preview made an unknown request." });
});

test.each([
  ["./b.js", { to: "src/b.js" }],
  ["../b.js?v=1#x", { to: "b.js?v=1" }],
  ["/@id/vue", { to: "@id/vue" }],
  ["http://localhost:3000/b.js", { to: "b.js" }],
  ["data:text/javascript,", {}],
  ["vue", { problem: "Couldn't find \"vue\": it isn't an address, and it isn't in the page's import map." }],
  ["http://localhost:4000/b.js", { problem: expect.stringContaining("no network access") }],
  ["//example.com/b.js", { problem: expect.stringContaining("no network access") }],
  ["http://", { problem: expect.stringContaining("Couldn't find") }],
])("a module at src/a.js?x that imports %s finds %o", async (specifier, found) => {
  expect(await open({}).find({ as: "find", specifier, path: "src/a.js?x" })).toEqual(found);
});

test("a server's module keeps its types' and its environment's words; what it imports has holes", async () => {
  const body = 'import "./b"; import s from "./s.css" with { type: "css" }; import.meta.env = {}; const x = <T>(y) => y;';
  const { find } = open({ "/a.ts?t": { type: "text/javascript", body } });
  expect(await find({ as: "module", path: "a.ts?t" })).toEqual({
    parts: [
      "import ",
      { specifier: "./b", line: 1, late: false, to: "b" },
      "; import s from ",
      { specifier: "./s.css", line: 1, late: false, to: "s.css#sheet" },
      "; import.meta.env = {}; const x = <T>(y) => y;",
    ],
  });
});

test("a server is known by its dialog and port; one of a WebContainer has a frame of its own", () => {
  const inside: ServerView = { port: 3000, url: null, owner: { dialogId: "one", background: null, command: "x" }, since: null };
  const framed: ServerView = { ...inside, url: "https://x.example/" };
  expect([siteOf(inside), siteOf(framed)]).toEqual([{ dialogId: "one", port: 3000 }, null]);
  expect([keyOf(null), keyOf(inside), keyOf(framed)]).toEqual([null, "one:3000", ":3000"]);
});
