import { expect, test } from "vitest";
import { excess } from "../../../../src/engine/project/zip/export.ts";
import { mostNameBytes } from "../../../../src/fs/zip/format.ts";

test("a zip with more bytes of names than are read again is told of", () => {
  const path = "日".repeat(500);
  const many = (length: number) => Array.from({ length }, () => ({ path }));
  const most = Math.floor(mostNameBytes / 1_500);
  expect(excess(many(most), 0)).toEqual([]);
  expect(excess(many(most + 1), 0)).toEqual(["The names of the files in the zip are 11 MB together. Vibey can't import more than 10 MB."]);
});
