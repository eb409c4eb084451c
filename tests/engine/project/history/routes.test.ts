import { expect, test } from "vitest";
import { project } from "./project.ts";

test("pages, in order and without a gap", async () => {
  const p = await project();
  for (let n = 0; n < 7; n++) await p.put(`f${n}`, "x");
  const seen: string[] = [];
  for (let before = ""; ; ) {
    const { commits, more } = await p.history(`?limit=3${before}`);
    seen.push(...commits.map(({ summary }) => summary));
    before = `&before=${commits.at(-1)?.id}`;
    if (!more) break;
  }
  expect(seen).toEqual([...[6, 5, 4, 3, 2, 1, 0].map((n) => `added f${n}`), "docs: added main.md"]);
});

test("only what one of them changed, also on a later page, and with a file", async () => {
  const p = await project([], { welcome: [{ name: "doc-main.md", content: "1" }] });
  for (let n = 0; n < 4; n++) {
    await p.put("mine", `${n}`);
    await p.history();
  }
  expect(await p.lines("?by=vibey")).toEqual(["vibey: docs: added main.md"]);
  expect(await p.lines("?by=agent")).toEqual([]);
  const { commits, more } = await p.history("?by=human&limit=3");
  expect([commits.length, more]).toEqual([3, true]);
  expect(await p.lines(`?by=human&limit=3&before=${commits.at(-1)?.id}`)).toEqual(["human: added mine"]);
  expect(await p.lines("?by=human&path=vibey")).toEqual([]);
});

test("a diff has both texts, null for a file that was not there, and says what is no text", async () => {
  const p = await project();
  await p.put("a b/ä.txt", "1\n");
  await p.history();
  await p.put("a b/ä.txt", "2\n");
  await p.put("x.bin", new Uint8Array([0]));
  const diff = async (id: string, path: string) => (await p.ask("GET", `/history/${id}/diff/${encodeURIComponent(path)}`)).json();
  const [bin, second, first] = (await p.history()).commits;
  expect(await diff(first?.id ?? "", "a b/ä.txt")).toEqual({ before: null, after: "1\n", binary: false });
  expect(await diff(second?.id ?? "", "a b/ä.txt")).toEqual({ before: "1\n", after: "2\n", binary: false });
  expect(await diff(bin?.id ?? "", "x.bin")).toEqual({ before: null, after: null, binary: true });
  expect(await diff(bin?.id ?? "", "a b/ä.txt")).toEqual({ error: "path: the commit did not change a b/ä.txt" });
  const file = await p.ask("GET", `/history/${bin?.id}/file/${encodeURIComponent("a b/ä.txt")}`);
  expect([file.headers.get("content-type"), await file.text()]).toEqual(["application/octet-stream", "2\n"]);
});

test.each([
  ["GET", "/history?limit=0", undefined, 400, "limit: expected"],
  ["GET", "/history?limit=x", undefined, 400, "limit: expected"],
  ["GET", "/history?limit=201", undefined, 400, "limit: expected"],
  ["GET", "/history?path=../x", undefined, 400, "path: "],
  ["GET", "/history?before=nothing", undefined, 404, "before: "],
  ["GET", "/history?by=nobody", undefined, 400, "by: expected human, agent or vibey"],
  ["GET", "/history?since=yesterday", undefined, 400, "since: expected a time in ISO 8601"],
  ["GET", "/history/nothing/restore", undefined, 404, "Commit not found"],
  ["GET", "/history/nothing", undefined, 404, "Commit not found"],
  ["GET", "/history/nothing/diff/x", undefined, 404, "Commit not found"],
  ["GET", "/history/nothing/file/x", undefined, 404, "Commit not found"],
  ["GET", "/history/x/file/..%2Fy", undefined, 400, "path: "],
  ["PUT", "/history", {}, 405, "Method PUT not allowed"],
  ["GET", "/history/undo", undefined, 405, "Method GET not allowed"],
  ["POST", "/history/undo", "{", 400, "body: expected JSON"],
  ["POST", "/history/undo", {}, 400, "id: expected"],
  ["POST", "/history/undo", { id: "nothing" }, 404, "Commit not found"],
  ["POST", "/history/restore", { id: "nothing", path: "" }, 400, "path: "],
  ["POST", "/history/restore", { id: 3 }, 400, "id: expected text"],
])("%s %s %j is answered with %d", async (method, path, body, status, error) => {
  const p = await project();
  const answer = await p.ask(method, path, body);
  expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([status, expect.stringContaining(error)]);
  expect(p.reported).toEqual([]);
});

test("a file that the commit knows nothing of, a dialog among them, is 404", async () => {
  const p = await project();
  const { id } = await p.newest();
  await (await p.ask("POST", "/dialog/new", { provider: "claude" })).text();
  const { filename } = await p.dialog();
  for (const path of ["nothing", `vibey/${filename}`]) {
    for (const how of ["undo", "restore"]) expect((await p.ask("POST", `/history/${how}`, { id, path })).status).toBe(404);
  }
});
