import { assert, nat, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { best, folded, score } from "../../src/app/palette/rank.ts";

const named = (...names: string[]) => names.map((name) => ({ name, folded: folded(name) }));
const find = (query: string, ...names: string[]) => best(named(...names), query, 10).map(({ name }) => name);

describe("what fits a few letters", () => {
  test.each([
    ["", ["b", "a"], ["b", "a"]],
    ["look", ["outlook.css", "the look", "look"], ["look", "the look", "outlook.css"]],
    ["go dia", ["Go to Docs", "Go to Dialogs"], ["Go to Dialogs"]],
    ["dia go", ["Go to Docs", "Go to Dialogs"], ["Go to Dialogs"]],
    ["gtd", ["Go to Docs", "Settings"], ["Go to Docs"]],
    ["EXPORT", ["Export the docs"], ["Export the docs"]],
    ["spatzle", ["Spätzle"], ["Spätzle"]],
    ["a.b", ["aXb", "a.b"], ["a.b"]],
    ["ook", ["look book", "brook, ook"], ["brook, ook", "look book"]],
    ["nothing", ["Start"], []],
  ])("%j in %j", (query, names, expected) => expect(find(query, ...names)).toEqual(expected));

  test("no more than were asked for, and those that fit alike in their order", () =>
    expect(best(named("a1", "a2", "a3"), "a", 2).map(({ name }) => name)).toEqual(["a1", "a2"]));

  test("law: a name fits itself and every part of it, whatever its characters", () => {
    assert(
      property(string({ unit: "binary" }), nat(), nat(), (name, from, length) => {
        const text = folded(name);
        const part = text.slice(from % (text.length + 1)).slice(0, length);
        expect(score(text, part)).toBeGreaterThan(0);
      }),
    );
  });
});
