import { expect, test } from "vitest";
import { elapsed } from "../../../src/app/texts/calls.ts";

test("elapsed time in words", () => {
  expect([elapsed(0), elapsed(59), elapsed(125)]).toEqual(["0 s", "59 s", "2 min 5 s"]);
});
