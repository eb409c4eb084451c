import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bodyJson } from "../../../src/engine/providers/body-json.ts";

test("it is what JSON.stringify says, the first time and the next, frozen or not", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (body, more) => {
      for (const value of Object.values(body).filter((_, at) => at % 2 === 0)) Object.freeze(value);
      expect(bodyJson(body)).toBe(JSON.stringify(body));
      const next = { ...body, more };
      expect(bodyJson(next)).toBe(JSON.stringify(next));
    }),
  );
});

test("fields without a value are left out, as by JSON.stringify", () => {
  const body = { model: "m", tools: undefined, messages: [{ role: "user", name: undefined, content: [{ type: "text", text: "hi" }] }] };
  expect(bodyJson(body)).toBe(JSON.stringify(body));
});

test("what was said before is not written anew", () => {
  let read = 0;
  const block = Object.freeze({
    type: "text",
    get text() {
      read += 1;
      return "said long ago";
    },
  });
  const turn = (said: string) => ({ messages: [{ role: "user", content: [block, { type: "text", text: said }] }] });
  expect(bodyJson(turn("one"))).toContain('"said long ago"');
  expect(bodyJson(turn("two"))).toContain('"two"');
  expect(read).toBe(1);
});
