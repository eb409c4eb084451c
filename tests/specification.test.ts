import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Each `file` with the “titles” after it, up to the next file. */
function references(markdown: string): { readonly file: string; readonly titles: string[] }[] {
  return markdown.split("\n").flatMap((line) => {
    const [, ...cited] = line.split(/`((?:e2e|tests)\/[^`]+\.tsx?)`/);
    return cited.flatMap((file, at) =>
      at % 2 === 0 ? [{ file, titles: Array.from((cited[at + 1] ?? "").matchAll(/“([^”]+)”/g), ([, title]) => title ?? "") }] : [],
    );
  });
}

test.each([
  ["docs/specification.md", 100],
  ["SECURITY.md", 20],
])("every test that %s names is there", (page, atLeast) => {
  const cited = references(readFileSync(page, "utf8"));
  const missing = cited.flatMap(({ file, titles }) => {
    if (!existsSync(file)) return [file];
    const source = readFileSync(file, "utf8");
    return titles.filter((title) => !source.includes(title)).map((title) => `${file}: ${title}`);
  });
  expect(missing).toEqual([]);
  expect(cited.flatMap(({ titles }) => titles).length).toBeGreaterThanOrEqual(atLeast);
});
