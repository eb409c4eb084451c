import * as fc from "fast-check";
import { expect, test } from "vitest";
import { editDefinition } from "../../../src/engine/agents/edit-definition.ts";
import { readDefinition } from "../../../src/engine/agents/read-definition.ts";
import { path } from "../../fs/notation.ts";
import { lawRuns } from "../../law-runs.ts";

const read = (text: string) => readDefinition(path("vibey/agent-coder.md"), text);

test.each<[what: string, text: string, change: Parameters<typeof editDefinition>[1], after: string]>([
  ["a value", "---\nname: coder # mine\nmodel: opus\n---\nBody", { model: "sonnet" }, "---\nname: coder # mine\nmodel: sonnet\n---\nBody"],
  ["a new key", "---\nname: coder\n---\nBody", { max_tokens: 100 }, "---\nname: coder\nmax_tokens: 100\n---\nBody"],
  ["no key left", "---\nmodel: opus\n---\n", { model: null }, "---\n---\n"],
  ["a key that isn't there taken away", "---\nmodel: opus\n---\n", { tools: null }, "---\nmodel: opus\n---\n"],
  ["no front matter", "Body\n", { is_active: false }, "---\nis_active: false\n---\n\nBody\n"],
  [
    "a list",
    "---\ntools:\n  - Read\n  - Write\n\n# next\nname: a\n---\n",
    { tools: ["vfs_read"] },
    "---\ntools: [vfs_read]\n\n# next\nname: a\n---\n",
  ],
  [
    "a block of text",
    "---\ndescription: |\n  One\n  Two\nname: a\n---\n",
    { description: "x: y" },
    '---\ndescription: "x: y"\nname: a\n---\n',
  ],
  ["CRLF", "---\r\nname: a\r\n---\r\n", { model: "opus" }, "---\r\nname: a\r\nmodel: opus\r\n---\r\n"],
  ["a word that YAML reads otherwise", "---\nname: a\n---\n", { description: "no" }, '---\nname: a\ndescription: "no"\n---\n'],
  [
    "a key beside others that it doesn't know, where a description isn't valid YAML",
    "---\ndescription: Default: brief\ncolor: teal\nmotto: Be brief: always\nmood: calm\n---\n",
    { color: "red" },
    "---\ndescription: Default: brief\ncolor: red\nmotto: Be brief: always\nmood: calm\n---\n",
  ],
  [
    "a key that it doesn't know, behind a value that isn't valid YAML",
    "---\nname: a\ndescription: Default: brief\n---\n",
    { mood: "calm" },
    "---\nmood: calm\nname: a\ndescription: Default: brief\n---\n",
  ],
  ["a key that is empty", "---\n?\n---\nBody", { tools: ["Read"] }, '---\n"": null\ntools: [Read]\n---\nBody'],
  ["an empty key with a value", "---\n: tools\n---\n", { model: "opus" }, '---\n"": "tools"\nmodel: opus\n---\n'],
])("%s", (_what, text, change, after) => {
  expect(editDefinition(text, change)).toBe(after);
});

/** The lines of all other keys. */
const othersIn = (text: string, key: string) =>
  text
    .split(/\r?\n/)
    .filter((line) => /^(?:name|display_name|description|model|capabilities|color|hooks|tools):/.test(line) && !line.startsWith(`${key}:`));
const commentsIn = (text: string) => text.split(/\r?\n/).filter((line) => line.startsWith("#"));

const spelled: Readonly<Record<string, string>> = {
  display_name: "displayName",
  description: "description",
  capabilities: "capabilities",
  model: "model",
};

test("a change says what it should, and leaves everything else as it was", () => {
  const line = fc.constantFrom(
    "name: coder",
    "# a comment",
    "",
    "display_name: Old",
    "description: Use it when: x",
    "description: |\n  a\n  b",
    "model: 'opus'",
    "model: >-\n  opus",
    "capabilities: [a,\n  b]",
    "capabilities:\n- a\n- b",
    "color: red",
    "hooks:\n  Stop: x",
    "tools: Read, Write",
    'user: "hi"',
  );
  const key = fc.constantFrom("display_name", "description", "model");
  const words = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((one) => one.trim() === one && one.isWellFormed() && one.toLowerCase() !== "inherit");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), key, words, (lines, eol, changed, value) => {
      const text = `---\n${lines.join("\n")}\n---\n\nYou code.\n`.replaceAll("\n", eol);
      const edited = editDefinition(text, { [changed]: value });
      const [before, after] = [read(text), read(edited)];
      const field = spelled[changed] ?? "";
      expect(after.fields).toMatchObject({ [field]: value });
      expect(after.body).toBe(before.body);
      // If the text isn't valid YAML, a comment can be part of a value.
      expect(othersIn(edited, changed)).toEqual(othersIn(text, changed));
      if (before.problems.length > 0) return;
      expect(commentsIn(edited)).toEqual(commentsIn(text));
      expect(after.fields).toEqual({ ...before.fields, [field]: value });
      expect(after.unused).toEqual(before.unused);
    }),
    lawRuns(500, 4),
  );
});
