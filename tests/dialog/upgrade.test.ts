import { describe, expect, test } from "vitest";
import { authorized } from "../../src/dialog/authority.ts";
import { commandSecondsOf, networkOf } from "../../src/dialog/consent.ts";
import type { Dialog } from "../../src/dialog/model.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { serialiseDialog } from "../../src/dialog/serialise.ts";
import { hasLinks, imported, upgrade } from "../../src/dialog/upgrade.ts";
import { outline } from "./notation.ts";

const block = (id: string, ...lines: string[]): string =>
  ["---", `Tool request: run_command [${id}]`, "", "    {}", "", ...lines, "---", ""].join("\n");
const calls =
  block("1") +
  block("2", "Decision: approved") +
  block("3", "Decision: denied") +
  block("4", "Decision: approved", "Result:", "    1") +
  block("5", "Decision: approved", "Started: t");
const earlier = `# Dialog

> Provider: claude | Model: m
> Authorized: write_file
> Network: a.example

## User
> Time: t

\\## User
Tool request: x [y]

> Authorized: run_command

more

## Assistant
> Time: a - b

${calls}
> Authorized: edit_file
> Network: b.example
> Network refused: c.example
> Limit: command 600
`;

test("an earlier file becomes one of Format 1, and nothing in it is anyone's word", () => {
  const upgraded = upgrade(parseDialog(earlier));
  expect(outline(upgraded)).toBe(`format 1
Provider=claude, Model=m
user Time=t
  text "\\\\## User\\nTool request: x [y]\\n\\nmore"
assistant Time=a - b
  call run_command [1] {} pending
  call run_command [2] {} pending
  call run_command [3] {} denied
  call run_command [4] {} approved result=1
  call run_command [5] {} approved started=t`);
  const file = serialiseDialog(upgraded);
  expect(file).toContain("\n\\\\## User\n\\Tool request: x [y]\n");
  expect(parseDialog(file)).toStrictEqual(upgraded);
  expect(authorized(upgraded).size).toBe(0);
  expect(networkOf(upgraded).size).toBe(0);
  expect(commandSecondsOf(upgraded)).toBeNull();
});

test("nor does it bring an answer anywhere or start an agent", () => {
  const lines = "> Replies to: 20261125-085900-game | Message: 3\n> Run: 20261125-085900-game\n";
  const upgraded = upgrade(parseDialog(`# Dialog\n\n${lines}\n## User\n> Mentions: coder 20261125-090000-coder\n\nHello\n`));
  expect(hasLinks(upgraded)).toBe(false);
  expect(outline(upgraded)).toBe(`format 1
Reply imported=20261125-085900-game | Message: 3, Run imported=20261125-085900-game
user Mentions imported=coder 20261125-090000-coder
  text "Hello"`);
});

test("files of Format 1 and of later formats stay as they are", () => {
  for (const format of [1, 2]) {
    const dialog = parseDialog(`# Dialog\n> Format: ${format}\n> Authorized: a\n`);
    expect(upgrade(dialog)).toBe(dialog);
  }
});

test("an earlier file that is written without being upgraded stays one", () => {
  for (const file of [earlier, "# Dialog\n\n> Format: 1\n> Authorized: a\n", "> Format: 1\n", "# Dialog\n> Format: 01\n"]) {
    const written = serialiseDialog(parseDialog(file));
    expect(parseDialog(written).format).toBeNull();
  }
});

test("not even a Format entry in its head makes it one that authorizes", () => {
  const head = [
    { key: "Format", value: "1" },
    { key: "Authorized", value: "a" },
  ];
  const dialog = parseDialog(serialiseDialog({ format: null, head, parts: [], sections: [] }));
  expect(dialog.format).toBeNull();
  expect(authorized(dialog).size).toBe(0);
});

describe("an import", () => {
  test("authorizes nothing, and asks again for what was approved and has not run", () => {
    const dialog = imported(
      parseDialog(
        `# Dialog\n> Format: 1\n> Authorized: a\n\n## Assistant\n> Revoked: a\n\n${calls}\n> Authorized: b\n> Network: c.example\n> Network refused: d.example\n> Limit: command 60\n`,
      ),
    );
    expect(outline(dialog)).toBe(`format 1
Authorized imported=a
assistant Revoked imported=a
  call run_command [1] {} pending
  call run_command [2] {} pending
  call run_command [3] {} denied
  call run_command [4] {} approved result=1
  call run_command [5] {} approved started=t
  meta Authorized imported=b, Network imported=c.example, Refused imported=d.example, Limit imported=command 60`);
    expect(commandSecondsOf(dialog)).toBeNull();
    expect(authorized(dialog).size).toBe(0);
    expect(networkOf(dialog).size).toBe(0);
    expect(parseDialog(serialiseDialog(dialog))).toStrictEqual(dialog);
  });

  const linking = [
    ["Mentions", "coder 20261125-090000-coder", "Mentions imported"],
    ["Schedule", "coder every 60m", "Schedule imported"],
    ["Then", "critic, coder", "Then imported"],
    ["Replies to", "20261125-085900-game | Message: 3", "Reply imported"],
    ["Resolves", "20261125-085900-game", "Resolves imported"],
    ["Run", "20261125-085900-game", "Run imported"],
    ["Side", "20261125-085900-game", "Side imported"],
    ["Turns", "10 | critic, coder", "Turns imported"],
    ["Key", "k1", "Key imported"],
  ] as const;
  test.each(linking)("brings no answer anywhere and starts no agent, though its lines are accepted: %s", (key, value, named) => {
    const line = `> ${key}: ${value}\n`;
    const dialog = parseDialog(`# Dialog\n> Format: 1\n${line}\n## User\n${line}\nHello\n\n## Assistant\n\nHi\n\n${line}`);
    const has = (one: Dialog) =>
      serialiseDialog(one)
        .split(/[\n|] ?/)
        .filter((each) => each.replace("> ", "").startsWith(`${key}: `)).length;
    expect([has(dialog), hasLinks(dialog)]).toEqual([3, true]);
    for (const lines of ["inactive", "as they are"] as const) {
      const came = imported(dialog, lines);
      expect([has(came), hasLinks(came)]).toEqual([0, false]);
      expect(serialiseDialog(came).split(`${named}: ${value}`)).toHaveLength(4);
    }
  });
});
