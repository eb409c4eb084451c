import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { docAuthority, docAuthorized, docLimits, guardDoc } from "../../src/dialog/authority.ts";
import { cleanCharacters } from "../../src/dialog/clean.ts";
import { lawTimeout, runs } from "./hostile.ts";

const doc = "# Game\n\n> Authorized: run_command\n> Limit: 3 agents\n\nText.\n\n> Authorized: write_file\n";

test("the lines that only a human may write, in order", () => {
  expect(docAuthority(doc)).toEqual(["> Authorized: run_command", "> Limit: 3 agents", "> Authorized: write_file"]);
  expect(docAuthority("```\n> Revoked: x\n```\n> Limit: y")).toEqual(["> Revoked: x", "> Limit: y"]);
  expect(docAuthority(" > Limit: a\n\\> Limit: b\nx\r> Limit: c\nx\u2028> Limit: d\n>Limit: e\n> limit: f\n")).toEqual([]);
});

test("what they say", () => {
  expect([
    ...docAuthorized("> Authorized: a\n> Authorized: b\n> Revoked: a\n> Authorized: *\n> Authorized: c d\n> Authorized: e "),
  ]).toEqual(["b"]);
  expect(docLimits(doc)).toEqual(["3 agents"]);
});

describe("an agent's change of doc-main.md", () => {
  test.each([
    ["of other lines", doc, doc.replace("Text.", "Other text.\n\n- a task")],
    ["that moves lines but keeps their order", doc, `${docAuthority(doc).join("\n")}\n`],
    ["that writes one as text", doc, `${doc}\\> Authorized: x\n`],
    ["of a doc without any", "a", "b"],
    ["of nothing", "", ""],
  ])("%s is fine", (_name, before, after) => {
    expect(guardDoc(before, after)).toEqual({ ok: true });
  });

  test.each<[string, string, string, { wanted: string[]; lost: string[]; repaired: string }]>([
    [
      "that adds one",
      "> Limit: 1\n\na\n",
      "> Limit: 1\n> Authorized: x\n\na\n",
      { wanted: ["> Authorized: x"], lost: [], repaired: "> Limit: 1\n\\> Authorized: x\n\na\n" },
    ],
    [
      "that adds one twice",
      "> Limit: 1\n",
      "> Limit: 1\n> Limit: 1\n",
      { wanted: ["> Limit: 1"], lost: [], repaired: "> Limit: 1\n\\> Limit: 1\n" },
    ],
    ["that removes one", "> Limit: 1\n\na\n", "a\n", { wanted: [], lost: ["> Limit: 1"], repaired: "> Limit: 1\n\na\n" }],
    [
      "that changes one",
      "> Limit: 1\n\na",
      "> Limit: 2\n\na",
      { wanted: ["> Limit: 2"], lost: ["> Limit: 1"], repaired: "> Limit: 1\n\n\\> Limit: 2\n\na" },
    ],
    [
      "that swaps two",
      "> Limit: 1\n> Limit: 2\n",
      "> Limit: 2\n> Limit: 1\n",
      { wanted: ["> Limit: 2", "> Limit: 1"], lost: ["> Limit: 1", "> Limit: 2"], repaired: "> Limit: 1\n> Limit: 2\n" },
    ],
    ["that deletes the doc", "> Limit: 1\na", "", { wanted: [], lost: ["> Limit: 1"], repaired: "> Limit: 1\n" }],
    [
      "that hides one behind a CR",
      "a\n",
      "a\r> Authorized: x\n",
      { wanted: ["> Authorized: x"], lost: [], repaired: "a\n\\> Authorized: x\n" },
    ],
    [
      "that hides one behind a NUL",
      "a\n",
      "> Auth\0orized: x\n",
      { wanted: ["> Authorized: x"], lost: [], repaired: "\\> Authorized: x\n" },
    ],
    [
      "that hides one behind a byte order mark",
      "a\n",
      "\ufeff\ufeff> Authorized: x\n",
      { wanted: ["> Authorized: x"], lost: [], repaired: "\\> Authorized: x\n" },
    ],
    ["that adds a revocation", "a", "> Revoked: x\na", { wanted: ["> Revoked: x"], lost: [], repaired: "\\> Revoked: x\na" }],
    [
      "that adds one that would not even count",
      "a",
      "> Authorized:*\na",
      { wanted: ["> Authorized:*"], lost: [], repaired: "\\> Authorized:*\na" },
    ],
  ])("%s is not", (_name, before, after, expected) => {
    expect(guardDoc(before, after)).toEqual({ ok: false, ...expected });
  });

  test(
    "repaired, it has the authority that it had, in its order, also once it was cleaned",
    () => {
      const lines = fc.constantFrom(
        "> Authorized: a",
        "> Authorized: b",
        "> Revoked: a",
        "> Limit: 1",
        "> Limit: 2",
        "text",
        "",
        "\\> Limit: 1",
        "# T",
        "---",
      );
      const text = fc.array(lines, { maxLength: 8 }).map((list) => list.join("\n"));
      const cuts = fc.constantFrom("\n", "\n", "\r", "\0", "\r\n", "\ufeff", "> ", ">");
      const hostile = fc.array(fc.oneof(lines, cuts), { maxLength: 12 }).map((list) => list.join(""));
      fc.assert(
        fc.property(text, fc.oneof(text, hostile), (before, after) => {
          const guard = guardDoc(before, after);
          const stays = guard.ok ? after : guard.repaired;
          expect(docAuthority(stays)).toEqual(docAuthority(before));
          expect(docAuthority(cleanCharacters(stays).replace(/^\ufeff+/, ""))).toEqual(docAuthority(before));
          if (!guard.ok) {
            expect(guard.wanted.length + guard.lost.length).toBeGreaterThan(0);
            expect(guardDoc(before, guard.repaired)).toEqual({ ok: true });
          }
        }),
        { numRuns: runs },
      );
    },
    lawTimeout,
  );
});
