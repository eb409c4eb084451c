import { array, assert, constantFrom, property } from "fast-check";
import { type Document, isCollection, parseDocument, visit } from "yaml";
import { expect, test } from "vitest";
import { parseYaml } from "../../../src/engine/agents/parse-yaml.ts";
import { isDeep } from "../../../src/engine/agents/yaml-depth.ts";
import { lawRuns } from "../../law-runs.ts";

const shape = (document: Document): string[] => {
  const nodes: string[] = [];
  visit(document, {
    Scalar: (at, { value, type }) => void nodes.push(`${String(at)} ${type}: ${String(value)}`),
    Alias: (at, { source }) => void nodes.push(`${String(at)} *${source}`),
    Collection: (at, node) => void nodes.push(`${String(at)} ${node.constructor.name} ${node.items.length}`),
  });
  return nodes;
};

/** The library's keys for a text that it reads without errors and without keys that are lists or mappings; else null. */
function expected(text: string, uniqueKeys: boolean): string[] | null {
  const document = parseDocument(text, { logLevel: "silent", prettyErrors: false, uniqueKeys });
  let isOdd = false;
  visit(document, { Pair: (_, { key }) => void (isOdd ||= isCollection(key)) });
  return document.errors.length > 0 || isOdd || isDeep(text) ? null : shape(document);
}

function read(text: string, unique: boolean): string[] | null {
  const parsed = parseYaml(text, { unique });
  return parsed.ok ? shape(parsed.document) : null;
}

// The library's rules: `a` and "a" are the same key; 1 and "1" are different keys, and so are two NaNs.
const twice = [
  "{a, b, a}",
  "a: 1\n'a': 2",
  "1: a\n'1': b",
  ".nan: 1\n.nan: 2",
  "? \n: 1\n? \n: 2",
  "a:\n  b: 1\n  b: 2",
  "[{a, b}, {b, a}, {c, c}]",
];
test.each(twice)("keys that stand twice: %j", (text) => {
  for (const unique of [true, false]) expect(read(text, unique)).toEqual(expected(text, unique));
});

test("law: what is read is what the library reads without a fault, and nothing else is", () => {
  const part = constantFrom(
    ..."a|1| |  |\n|\n  |- |? |: |a: |b: |{|}|[|]|,|'|\"||\n|#|&a |!t |!!str |*a |\t|---\n|...\n|\r\n|\\x|\u0000|@".split("|"),
    "|\n",
    "> ",
  );
  assert(
    property(array(part, { maxLength: 30 }), constantFrom(true, false), (parts, unique) => {
      const text = parts.join("");
      expect([text, read(text, unique)]).toEqual([text, expected(text, unique)]);
    }),
    lawRuns(5_000),
  );
});

test.each(["]".repeat(8_000), "a: [,,]", "a: b: c", "%x\n%y\na", "a\n...\nb: [\n", "\t- a\n@"])("the first fault is said: %j", (text) => {
  const [first] = parseDocument(text, { logLevel: "silent", prettyErrors: false, uniqueKeys: false }).errors;
  const parsed = parseYaml(text, { unique: true });
  expect(parsed.ok ? null : parsed.why).toBe(first?.message ?? null);
});

test("many keys are compared once: compared with all before it, each of so many takes longer than a test has", () => {
  const keys = Array.from({ length: 300_000 }, (_, at) => `k${at}`).join(",");
  expect(parseYaml(`{${keys}}`, { unique: true }).ok).toBe(true);
  const parsed = parseYaml(`{${keys},k0}`, { unique: true });
  expect(parsed.ok ? null : parsed.why).toBe('the key "k0" appears twice.');
});
