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
