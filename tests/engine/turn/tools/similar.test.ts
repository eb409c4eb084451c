// Finds the existing path that a missing path was meant to be.
import { expect, test } from "vitest";
import { mostSimilar } from "../../../../src/engine/turn/tools/similar.ts";

const files = ["README.md", "src/board.ts", "src/rules/moves.ts", "artifacts/report.md"];

test.each([
  ["readme.md", "README.md"],
  ["board.ts", "src/board.ts"],
  ["src/borad.ts", "src/board.ts"],
  ["src/rules/move.ts", "src/rules/moves.ts"],
  ["artefacts/report.md", "artifacts/report.md"],
  ["artifacts/rep", "artifacts/report.md"],
  ["moves", "src/rules/moves.ts"],
  ["style.css", null],
  ["", null],
])("%s: %s", (path, meant) => {
  expect(mostSimilar(path, files)).toBe(meant);
});

test("an ordinary project is looked through to its last file", () => {
  const many = Array.from({ length: 3_000 }, (_, nth) => `src/components/part-${nth}-of-many.ts`);
  expect(mostSimilar("src/borad.ts", [...many, "src/board.ts"])).toBe("src/board.ts");
});

test("of many long paths no more are compared than take a moment, whatever the length of the one that was asked for", () => {
  let looked = 0;
  const paths = Array.from({ length: 20_000 }, (_, nth) => ({ toLowerCase: () => ((looked += 1), `${nth}`.padStart(200, "a")) }));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a text that counts its reads.
  expect(mostSimilar("b".repeat(200), paths as unknown as string[])).toBeNull();
  // Each path is read twice to check for the same name and twice for the same beginning, which is cheap.
  expect(looked - 4 * paths.length).toBeLessThan(300);
});
