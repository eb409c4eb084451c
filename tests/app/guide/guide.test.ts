import { describe, expect, test } from "vitest";
import { guideDocs } from "../../../src/app/guide/guide.ts";
import { docAuthority, docLimits } from "../../../src/dialog/doc-authority.ts";
import { isVibeyName } from "../../../src/fs/vibey-name.ts";

describe("the guide", () => {
  test.each(Object.entries(guideDocs))("%s has a name that docs have, a title, and links that lead somewhere", (name, text) => {
    expect(isVibeyName(name)).toBe(true);
    expect(text).toMatch(/^# \S/);
    const links = Array.from(text.matchAll(/\]\((?<to>[^)]+)\)/g), (match) => match.groups?.["to"] ?? "");
    for (const link of links) expect(Object.keys(guideDocs)).toContain(link);
  });

  test("every page is linked from main, which allows nothing and limits nothing", () => {
    const main = guideDocs["doc-main.md"] ?? "";
    for (const name of Object.keys(guideDocs)) if (name !== "doc-main.md") expect(main).toContain(`](${name})`);
    expect([docAuthority(main), docLimits(main)]).toEqual([[], []]);
  });
});
