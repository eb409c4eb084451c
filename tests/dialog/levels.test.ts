import * as fc from "fast-check";
import { expect, test } from "vitest";
import { docAuthorized, docRevoked } from "../../src/dialog/authority.ts";
import { docAuthorizedOutside } from "../../src/dialog/outside.ts";
import { levelOf, levels, levelTools, withLevel } from "../../src/dialog/levels.ts";
import { allTools } from "../../src/engine/agents/tool-permissions.ts";

test.each([
  ["", 1, ""],
  ["# Game\n", 0, "# Game\n\n> Revoked: vfs_read\n> Revoked: vfs_list\n> Revoked: signal_parent\n"],
  ["# Game", 2, "# Game\n\n> Authorized: write_file\n> Authorized: edit_file\n> Authorized: run_command\n"],
  [
    "> Authorized: run_command\n\n# Game\n",
    3,
    "> Authorized: run_command\n> Authorized: write_file\n> Authorized: edit_file\n> Authorized: launch_agent\n\n# Game\n",
  ],
  [
    "> Limit: agents 3\n> Authorized: command npm test *\n> Authorized: nonsense here\nx\n",
    1,
    "> Limit: agents 3\n> Authorized: nonsense here\nx\n",
  ],
  ["> Authorized outside: Read\nx\n", 0, "x\n\n> Revoked: vfs_read\n> Revoked: vfs_list\n> Revoked: signal_parent\n"],
  ["> Authorized outside: Read\nx\n", 1, "> Authorized outside: Read\nx\n"],
  [
    "> Authorized: writes under src/\n> Revoked: vfs_read\n",
    2,
    "> Authorized: writes under src/\n> Authorized: write_file\n> Authorized: edit_file\n> Authorized: run_command\n",
  ],
] as const)("%j at level %i", (before, level, after) => expect(withLevel(before, level)).toBe(after));

test("every tool belongs to one level", () => {
  expect(levelTools.flat().toSorted()).toEqual([...allTools, "signal_parent"].toSorted());
});

const line = fc.constantFrom(
  "> Authorized: run_command",
  "> Authorized: launch_agent",
  "> Authorized: writes under src/",
  "> Authorized: command ls",
  "> Revoked: run_command",
  "> Revoked: vfs_read",
  "> Authorized outside: Read",
  "> Authorized: vfs_read",
  "> Limit: agents 2",
  "",
  "words",
);

test("a level is what its lines say, whatever stood there before, and writing it again changes nothing", () => {
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom(...levels), (lines, level) => {
      const text = withLevel(lines.join("\n"), level);
      const free = levelTools.slice(0, level + 1).flat();
      const allowed = docAuthorized(text);
      const revoked = docRevoked(text);
      for (const tool of levelTools.slice(2).flat()) expect(allowed.has(tool)).toBe(free.includes(tool));
      for (const tool of levelTools[1] ?? []) expect(revoked.has(tool)).toBe(!free.includes(tool));
      if (level === 0) expect(docAuthorizedOutside(text)).toEqual([]);
      if (level < 2) expect([...allowed].filter((value) => !value.startsWith("vfs_"))).toEqual([]);
      expect(withLevel(text, level)).toBe(text);
      expect(levelOf(text)).toBe(level);
    }),
  );
});
