import { expect, test } from "vitest";
import { bench } from "./harness.ts";

test("a human reads of the sandbox what the model is told", async () => {
  const b = await bench();
  expect(await (await b.ask("GET", "/sandbox")).json()).toEqual({ about: "A shell that echoes." });
  expect((await b.ask("PUT", "/sandbox", {})).status).toBe(405);
});
