import { afterEach, expect, test, vi } from "vitest";
import { importFiles } from "../../../src/app/agents/import-files.ts";

class FilesOf extends Array<File> {}
const asked: string[] = [];
afterEach(() => {
  asked.length = 0;
  vi.unstubAllGlobals();
});

function chosen(files: readonly File[]): FileList {
  vi.stubGlobal("FileList", FilesOf);
  vi.stubGlobal("fetch", async (_: unknown, { body }: RequestInit) => {
    asked.push(typeof body === "string" ? body : "");
    return Response.json({ written: [], unused: [], schedules: [] });
  });
  return FilesOf.from(files) as unknown as FileList;
}

test("files that hold more than the page can put into one text are refused before they are read; what is no text isn't counted", async () => {
  const file = (name: string, size: number) => new File(["x".repeat(size)], name);
  const many = Array.from({ length: 101 }, (_, at) => file(`a${at}.md`, 200_000));
  expect(await importFiles(chosen(many))).toEqual({ ok: false, kind: "refused", message: "the files hold more than 20 MB." });
  expect(asked).toEqual([]);
  const fine = [...many.slice(0, 3), file("big.md", 30_000_000), file("a.png", 30_000_000)];
  expect((await importFiles(chosen(fine))).ok).toBe(true);
  expect(asked.map((text) => (JSON.parse(text) as { files: { text: string }[] }).files.map((one) => one.text.length))).toEqual([
    [200_000, 200_000, 200_000, 0, 0],
  ]);
});

test("of too many files those that can be agents are taken, and it says how many were left out", async () => {
  const file = (path: string) => Object.defineProperty(new File(["x"], ""), "webkitRelativePath", { value: path });
  const pictures = Array.from({ length: 2_010 }, (_, at) => file(`game/a${at}.png`));
  const modules = Array.from({ length: 2_010 }, (_, at) => file(`game/node_modules/a/a${at}.md`));
  const agents = [file("game/.claude/agents/critic.md"), file("game/.git/x.md")];
  const answer = await importFiles(chosen([...modules, ...pictures, ...agents]));
  expect(answer.ok && answer.value.left).toBe(11);
  const sent = asked.map((text) => (JSON.parse(text) as { files: { path: string }[] }).files.map(({ path }) => path));
  expect([sent[0]?.length, sent[0]?.[0]]).toEqual([2_000, "game/.claude/agents/critic.md"]);

  const few = await importFiles(chosen([...modules, ...agents]));
  expect(few.ok && few.value.left).toBe(0);
});

test("a dropped folder is read to its end, without what programs leave in it", async () => {
  const entry = (fullPath: string) => ({
    isFile: true,
    fullPath,
    file: (resolve: (file: File) => void) => resolve(new File(["x"], fullPath.replace(/^.*\//, ""))),
  });
  const folder = (fullPath: string, inside: unknown[]) => ({
    isFile: false,
    isDirectory: true,
    fullPath,
    createReader: () => ({ readEntries: (resolve: (some: unknown[]) => void) => resolve(inside.splice(0, 100)) }),
  });
  const pictures = Array.from({ length: 2_010 }, (_, at) => entry(`/game/a${at}.png`));
  const root = folder("/game", [
    folder("/game/node_modules", [entry("/game/node_modules/a.md")]),
    ...pictures,
    folder("/game/agents", [entry("/game/agents/critic.md")]),
  ]);
  chosen([]);
  const items = [{ webkitGetAsEntry: () => root, getAsFile: () => null }];
  const answer = await importFiles({ items } as unknown as DataTransfer);
  expect(answer.ok && answer.value.left).toBe(11);
  expect(asked[0]).toContain('{"files":[{"path":"game/agents/critic.md","text":"x"}');
  expect(asked[0]).not.toContain("node_modules");
});
