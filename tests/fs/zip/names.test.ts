import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonical, type Path, parsePath } from "../../../src/fs/path.ts";
import { withoutMark, zipNames } from "../../../src/fs/zip/names.ts";
import { path } from "../notation.ts";

const named = (...paths: string[]) => [...zipNames(paths.map(path)).values()].toSorted();

test("names stand as they are, unless two can't stand side by side", () => {
  expect(named("a", "b/c", "Ü")).toEqual(["a", "b/c", "Ü"]);
  expect(named("README.md", "Readme.md", "readme.md")).toEqual(["README.md", "Readme.md~same-name-2", "readme.md~same-name-3"]);
  expect(named("a", "A/b")).toEqual(["A/b", "a~same-name-2"]);
  expect(named("a~same-name-2", "a", "A")).toEqual(["A", "a~same-name-2~same-name-2", "a~same-name-2"].toSorted());
});

test("law: no two names are one, none is another one's folder, and each gives its path back", () => {
  const segment = fc.constantFrom("a", "A", "b", "a.", "ß", "SS", "a~same-name-2", "A~SAME-NAME-2", "a~same-name-2~same-name-2", "x");
  const paths = fc.uniqueArray(
    fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => path(parts.join("/"))),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(paths, (all: Path[]) => {
      const names = zipNames(all);
      expect(names.size).toBe(all.length);
      const forms = [...names.values()].map((name) => {
        const parsed = parsePath(name);
        if (!parsed.ok) throw new Error(name);
        return canonical(parsed.path);
      });
      expect(new Set(forms).size).toBe(all.length);
      for (const form of forms) for (const other of forms) expect(other.startsWith(`${form}/`)).toBe(false);
      for (const [one, name] of names) expect(withoutMark(name)).toBe(one);
      expect(zipNames(all.toReversed())).toEqual(names);
    }),
    { numRuns: 500 },
  );
});
