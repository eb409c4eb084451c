import { assert, nat, property, string } from "fast-check";
import { createRoot } from "solid-js";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { entries, type Findable } from "../../../src/app/palette/entries.ts";
import { best, folded, score } from "../../../src/app/palette/rank.ts";
import type { Command } from "../../../src/app/ui/commands.ts";
import { offer, offers } from "../../../src/app/ui/offered.ts";

const named = (...names: string[]) => names.map((name) => ({ name, folded: folded(name) }));
const find = (query: string, ...names: string[]) => best(named(...names), query, 10).map(({ name }) => name);

describe("what fits a few letters", () => {
  test.each([
    ["", ["b", "a"], ["b", "a"]],
    ["look", ["outlook.css", "the look", "look"], ["look", "the look", "outlook.css"]],
    ["go dia", ["Go to Docs", "Go to Dialogs"], ["Go to Dialogs"]],
    ["dia go", ["Go to Docs", "Go to Dialogs"], ["Go to Dialogs"]],
    ["gtd", ["Go to Docs", "Settings"], ["Go to Docs"]],
    ["EXPORT", ["Export docs"], ["Export docs"]],
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

const done: string[] = [];
const command = (label: string, more: Partial<Command> = {}): Command => ({ label, run: () => void done.push(label), ...more });
const nothing: Findable = { offers: [], commands: [], dialogs: [], names: [], deed: [], go: () => {} };
const lines = (given: Partial<Findable>) =>
  entries({ ...nothing, ...given }).map(({ title, side }) => (side === "" ? title : `${title} (${side})`));

describe("what can be done where one is", () => {
  beforeEach(() => {
    vi.stubGlobal("navigator", { platform: "Linux x86_64" });
    return () => vi.unstubAllGlobals();
  });

  test("is offered as long as its part of the screen lives", () => {
    const labels = () => offers().flatMap((one) => one.commands().map(({ label }) => label));
    const [endDoc, endTools] = ["Save", "Outline"].map((label) =>
      createRoot((end) => {
        offer({ commands: () => [command(label)] });
        return end;
      }),
    );
    expect(labels()).toEqual(["Save", "Outline"]);
    endDoc?.();
    expect(labels()).toEqual(["Outline"]);
    endTools?.();
    expect(labels()).toEqual([]);
  });

  test("comes before what can be done everywhere: what is open first, then its list, then what stands beside; with what it is done to", () =>
    expect(
      lines({
        offers: [
          { commands: () => [command("Reload")], about: () => "Preview", rank: 2 },
          { commands: () => [command("New doc")], rank: 1 },
          { commands: () => [command("Delete"), command("Vim keys", { on: true })], about: () => "look" },
        ],
        commands: [command("Settings")],
        names: ["doc-main.md"],
      }),
    ).toEqual(["Delete (look)", "Vim keys (on)", "New doc", "Reload (Preview)", "Settings", "main (doc)"]));

  test("is left out while its button is not there or can't be pressed, and is there once", () =>
    expect(
      lines({
        offers: [
          {
            commands: () => [command("Save", { disabled: true }), command("Rename…", { hidden: true }), command("Copy")],
            about: () => "a",
          },
          { commands: () => [command("Copy")], about: () => "a" },
          { commands: () => [command("Copy")], about: () => "b" },
        ],
      }),
    ).toEqual(["Copy (a)", "Copy (b)"]));

  test("does what its button does, has its keys, and shows the hidden characters of a name", () => {
    const [first] = entries({ ...nothing, offers: [{ commands: () => [command("Find", { keys: "Mod+KeyF" })], about: () => "a\u202Eb" }] });
    first?.run();
    expect(done).toEqual(["Find"]);
    expect(first?.keys).toMatch(/F$/);
    expect(first?.side).not.toContain("\u202E");
  });
});
