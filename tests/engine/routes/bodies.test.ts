import { expect, test } from "vitest";
import { readProjectName } from "../../../src/engine/routes/bodies.ts";

const named = async (name: unknown) => {
  const read = await readProjectName(new Request("http://engine/projects/a", { method: "PUT", body: JSON.stringify({ name }) }));
  return read.ok ? read.value.name : ((await read.answer.json()) as { error: string }).error;
};

test.each([
  ["My game", "My game"],
  ["  My game \n", "My game"],
  ["My\uD800 game", "My\uFFFD game"],
  ["My\u0000 game", "My game"],
  ["", "name: expected text that is not empty"],
  [" \u0000 ", "name: expected text that is not empty"],
  ["x".repeat(60), "x".repeat(60)],
  ["x".repeat(61), "name: expected at most 60 characters"],
  [7, "name: expected text"],
  [undefined, "name: expected, but missing"],
])("a project's name %j is read as %j", async (given, read) => {
  expect(await named(given)).toBe(read);
});
