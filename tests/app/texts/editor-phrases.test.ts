import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { phrases } from "../../../src/app/texts/docs-editor.ts";

/** The editor's phrases for folding that never show, because this page has its own elements. */
const unseen = ["Fold line", "Unfold line", "folded code", "unfold"];

test("every phrase that the editor asks for is among the texts, and none besides", () => {
  const asked = ["view", "search", "language", "commands"].flatMap((name) => {
    const code = readFileSync(join(import.meta.dirname, "../../../node_modules/@codemirror", name, "dist/index.js"), "utf8");
    return Array.from(code.matchAll(/\bphrase\(([^()]*)/g), ([, inside = ""]) => inside).flatMap((inside) =>
      Array.from(inside.matchAll(/"([^"]+)"/g), ([, phrase = ""]) => phrase),
    );
  });
  expect(new Set(asked)).toEqual(new Set([...Object.keys(phrases), ...unseen]));
});
