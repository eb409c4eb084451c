import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasResult } from "../../src/dialog/call-json.ts";
import { setCall } from "../../src/dialog/edit.ts";
import { hasUnseen, parseJson, stringifyJson } from "../../src/dialog/json.ts";
import type { Call, Json } from "../../src/dialog/model.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { serialiseDialog } from "../../src/dialog/serialise.ts";
import { hostileText } from "./hostile.ts";

const head = "# Dialog\n> Format: 1\n\n## Assistant\n\n---\nTool request: run_command [x]\n\n";
const file = (input: string, ...results: string[]) =>
  `${head}    ${input}\n\nDecision: approved\n${results.map((result) => `Result:\n\n    ${result}\n`).join("")}\n---\n`;

function callOf(text: string): Call {
  const part = parseDialog(text).sections[0]?.parts[0];
  if (part?.kind !== "call") throw new Error("no call");
  return part.call;
}

/** Long enough to be parsed lazily. */
const long = "x".repeat(2_000);

describe("long JSON is read when it is asked for, and says what short JSON says", () => {
  test.each<[string, string, string[], unknown, unknown]>([
    ["an object", `{"a": "${long}"}`, [`{"b": "${long}"}`], { a: long }, { b: long }],
    ["no object", `["${long}"]`, [`["${long}"]`], { invalid: `["${long}"]` }, [long]],
    ["not whole", `{"a": "${long}`, [`{"a": "${long}`], { invalid: `{"a": "${long}` }, undefined],
    ["the first whole result", "{}", [`{"a": "${long}`, `["${long}"]`, "2"], {}, [long]],
    ["too deep", `${"[".repeat(1_000)}${"]".repeat(1_000)}`, [`${"[".repeat(1_000)}${"]".repeat(1_000)}`], expect.anything(), undefined],
    ["a bare text", "{}", [`"${long}"`], {}, long],
    ["null", `{"a": "${long}"}`, ["null"], { a: long }, null],
    ["no result", `{"a": "${long}"}`, [], { a: long }, undefined],
  ])("%s", (_name, input, results, wanted, result) => {
    const call = callOf(file(input, ...results));
    expect(hasResult(call)).toBe(result !== undefined);
    expect(call.input).toEqual(wanted);
    expect(call.result).toEqual(result);
    expect(call).toEqual({ id: "x", name: "run_command", input: wanted, decision: "approved", started: null, result });
    expect({ ...call }).toStrictEqual({
      id: "x",
      name: "run_command",
      input: call.input,
      decision: "approved",
      started: null,
      result: call.result,
    });
    expect(structuredClone(call)).toEqual({ ...call });
  });

  test("the file ends in it", () => {
    const text = file("{}", `["${long}"]`);
    expect(callOf(text.slice(0, text.indexOf(long) + 2_000)).result).toBeUndefined();
    expect(callOf(text.slice(0, text.indexOf("]\n\n---") + 1)).result).toBeUndefined();
    expect(callOf(text.slice(0, text.indexOf("]\n\n---") + 2)).result).toEqual([long]);
  });

  test("whatever the values are, and wherever they stand", () => {
    const value: fc.Arbitrary<Json> = fc.oneof(hostileText, fc.jsonValue() as fc.Arbitrary<Json>);
    fc.assert(
      fc.property(value, value, fc.boolean(), fc.boolean(), (one, other, padInput, padResult) => {
        const input = stringifyJson(padInput ? { one, long } : { one });
        const result = stringifyJson(padResult ? [other, long] : other);
        const text = file(input, result);
        const call = callOf(text);
        expect(call.input).toEqual(parseJson(input));
        expect(call.result).toEqual(parseJson(result));
        expect(serialiseDialog(parseDialog(text))).toBe(text);
      }),
    );
  });
});

describe("what a file's numbers are stays", () => {
  const digits = '{"n": 12345678901234567890123, "pi": 3.14159265358979323846264338327950288}';
  test.each([
    ["short", digits],
    ["long", `${digits.slice(0, -1)}, "x": "${long}"}`],
  ])("%s", (_name, input) => {
    const text = file(input, input);
    const dialog = parseDialog(text);
    expect(serialiseDialog(dialog)).toBe(text);
    const pending = parseDialog(file(input));
    const { dialog: changed } = setCall(pending, "x", { started: "t" });
    expect(serialiseDialog(changed)).toContain(`    ${input}\n`);
  });
});

test("what nobody sees is what the writer escapes, among all characters", () => {
  const differing: number[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (character !== '"' && character !== "\\" && hasUnseen(character) !== (stringifyJson(character) !== `"${character}"`))
      differing.push(code);
  }
  expect(differing).toEqual([]);
});

test.each([
  ["U+2028", "\u2028"],
  ["a bidi override", "\u202e"],
  ["a zero-width space", "\u200b"],
  ["a tag", "\u{e0041}"],
  ["a tab between", '",\t"b": "'],
])("a character that nobody sees is written as an escape, also in a long text: %s", (_name, character) => {
  const written = serialiseDialog(parseDialog(file(`{"a": "${long}${character}"}`)));
  expect(written).not.toContain(character);
  expect(callOf(written).input).toEqual(callOf(file(`{"a": "${long}${character}"}`)).input);
});
