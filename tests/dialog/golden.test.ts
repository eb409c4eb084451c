import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { authorized } from "../../src/dialog/authority.ts";
import { pieces } from "../../src/dialog/edit.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { recover } from "../../src/dialog/recover.ts";
import { serialiseDialog } from "../../src/dialog/serialise.ts";
import { upgrade } from "../../src/dialog/upgrade.ts";
import { outline } from "./notation.ts";

const folder = new URL("golden/", import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");

/** Each file has an outline next to it: what the file must mean today and in every later version. */
describe.each(names)("%s", (name) => {
  const file = read(name);
  const dialog = parseDialog(file);

  test("says what its outline says", () => {
    expect(`${outline(dialog)}\n`).toBe(read(name.replace(/\.md$/, ".txt")));
  });

  test(name.startsWith("earlier-") ? "authorizes nothing, and is written anew before it goes on" : "is written again to the byte", () => {
    if (name.startsWith("earlier-")) {
      expect(dialog.format).toBeNull();
      expect(authorized(dialog).size).toBe(0);
      const upgraded = upgrade(dialog);
      expect(parseDialog(serialiseDialog(upgraded))).toStrictEqual(upgraded);
      expect(authorized(upgraded).size).toBe(0);
    } else {
      expect(serialiseDialog(dialog)).toBe(file);
      expect(
        pieces(dialog)
          .map(({ data }) => data)
          .join(""),
      ).toBe(file);
      expect(recover(file)).toBe(file);
    }
  });
});

test("there are files of this format, and of earlier ones", () => {
  expect(names.filter((name) => name.startsWith("earlier-")).length).toBeGreaterThanOrEqual(2);
  expect(names.filter((name) => !name.startsWith("earlier-")).length).toBeGreaterThanOrEqual(3);
});
