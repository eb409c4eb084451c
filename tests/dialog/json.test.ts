import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonObject, parseJson, storable, stringifyJson } from "../../src/dialog/json.ts";
import type { Json } from "../../src/dialog/model.ts";
import { asJson, hostileText, lawTimeout, runs } from "./hostile.ts";

const nested = (depth: number): Json => {
  let value: Json = [];
  for (let level = 1; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

describe("a value on one line", () => {
  test.each<[Json, string]>([
    [null, "null"],
    [true, "true"],
    [-1.5e300, "-1.5e+300"],
    [-0, "-0"],
    [Number.POSITIVE_INFINITY, "null"],
    ["a, b: c", '"a, b: c"'],
    [[], "[]"],
    [{}, "{}"],
    [[1, [2, {}], "x"], '[1, [2, {}], "x"]'],
    [{ a: 1, "b, c": { d: [] } }, '{"a": 1, "b, c": {"d": []}}'],
    ["\n\r\t\0\x1b", '"\\n\\r\\t\\u0000\\u001b"'],
    ["\x7f\x85\xad", '"\\u007f\\u0085\\u00ad"'],
    ["\u2028\u2029\u202e\u2066\u200b\ufeff", '"\\u2028\\u2029\\u202e\\u2066\\u200b\\ufeff"'],
    ["\u061c\u180e\u115f\u3164\uffa0\ufe0f\ufffb", '"\\u061c\\u180e\\u115f\\u3164\\uffa0\\ufe0f\\ufffb"'],
    ["\u{e0041}\u{e007f}\u{1d173}", '"\\udb40\\udc41\\udb40\\udc7f\\ud834\\udd73"'],
    ["\ud800 \udc00", '"\\ud800 \\udc00"'],
    ["é 漢 \u{1f600} \u00a0", '"é 漢 \u{1f600} \u00a0"'],
    [{ "\u202e": 1 }, '{"\\u202e": 1}'],
  ])("%j", (value, text) => {
    expect(stringifyJson(value)).toBe(text);
  });

  test("a key that JavaScript treats in its own way is a key", () => {
    const value = parseJson('{"__proto__": {"constructor": 1}}') ?? null;
    expect(stringifyJson(value)).toBe('{"__proto__": {"constructor": 1}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test(
    "is the value again, and shows every character",
    () => {
      fc.assert(
        fc.property(fc.oneof(fc.jsonValue().map(asJson), hostileText), (value) => {
          const text = stringifyJson(value);
          expect(parseJson(text)).toStrictEqual(value);
          expect(text).not.toMatch(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}|\p{Default_Ignorable_Code_Point}/u);
        }),
        { numRuns: runs },
      );
    },
    lawTimeout,
  );
});

describe("a text as a value", () => {
  test.each(["", " ", "{", '{"a": 1', '{"a": 1} x', "{'a': 1}", "[1,]", "nul", "01", '"\n"', "undefined", "\ufeff{}", '{"a": 1}{"b": 2}'])(
    "%j is none",
    (text) => {
      expect(parseJson(text)).toBeUndefined();
    },
  );

  test.each<[string, Json]>([
    ["null", null],
    [' \r\n\t{"a" : 1 } ', { a: 1 }],
    ['["\\u0000", "[[[", "\\"[", "\\\\"]', ["\0", "[[[", '"[', "\\"]],
    [JSON.stringify("[".repeat(300)), "[".repeat(300)],
    [`[${"[],".repeat(300)}1]`, [...Array.from({ length: 300 }, () => []), 1]],
  ])("%j", (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test("200 deep is a value, 201 is none", () => {
    expect(parseJson(stringifyJson(nested(200)))).toEqual(nested(200));
    expect(parseJson(stringifyJson(nested(201)))).toBeUndefined();
    expect(parseJson(`${"[".repeat(201)}1${"]".repeat(201)}`)).toBeUndefined();
    expect(storable(nested(200))).toEqual(nested(200));
    expect(storable(nested(201))).toEqual({ invalid: stringifyJson(nested(201)) });
  });

  test("no depth overflows the stack", () => {
    expect(parseJson("[".repeat(1_000_000))).toBeUndefined();
    expect(parseJson('{"a":'.repeat(1_000_000))).toBeUndefined();
    expect(stringifyJson(nested(100_000))).toHaveLength(50_000 * "[]".length + 50_000 * '{"a": }'.length);
    expect(isJsonObject(storable(nested(100_000)))).toBe(true);
  });
});

test("an object is neither null nor a list", () => {
  expect([{}, { a: 1 }].map(isJsonObject)).toEqual([true, true]);
  expect([null, [], "", 0, undefined].map(isJsonObject)).toEqual([false, false, false, false, false]);
});

test("what is written as an escape is what Unicode calls unseen, up to the version that the list was made from", () => {
  const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
  const differing: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    const escaped = stringifyJson(character) !== `"${character}"`;
    // JSON escapes these by itself.
    if (character === '"' || character === "\\" || (code >= 0xd800 && code <= 0xdfff)) continue;
    // A runtime with an older version of Unicode knows fewer of these characters.
    if (unseen.test(character) && !escaped) differing.push(code.toString(16));
    else if (escaped && !unseen.test(character) && Number(process.versions["unicode"]) >= 17) differing.push(code.toString(16));
  }
  expect(differing).toEqual([]);
});
