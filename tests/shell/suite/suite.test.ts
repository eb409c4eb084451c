import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { isLong } from "../../long.ts";
import { suite } from "./cases.ts";
import { hasBash, inBash, inOurs, type Result } from "./compare.ts";

/**
 * Runs each command in our shell. bash's answers are in `recorded.json`, which `VIBEY_RECORD=1` writes again. A long run asks bash again, if
 * this machine has it and the programs.
 */
const recording = new URL("recorded.json", import.meta.url);
const isRecorded = process.env["VIBEY_RECORD"] === "1";
const real = (isLong || isRecorded) && hasBash();
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this test writes the file.
const recorded = real ? {} : (JSON.parse(await readFile(recording, "utf8")) as Record<string, Result>);
const page = await readFile(new URL("../../../docs/sandbox.md", import.meta.url), "utf8");

/** The commands in the page's table of differences. */
const listed = new Set([...page.matchAll(/^\| `` (.+) `` \|/gm)].map((found) => (found[1] ?? "").replaceAll("\\|", "|")));
const commands = Object.values(suite).flat();
const met = new Map<string, Result>();

describe.each(Object.entries(suite))("%s", (_, rows) => {
  test.each(rows)("%s", async (command) => {
    const expected = real ? inBash(command) : recorded[command];
    if (expected === undefined) throw new Error("this command was not recorded");
    met.set(command, expected);
    const ours = await inOurs(command);
    if (listed.has(command)) expect(ours, "docs/sandbox.md lists it as different, and it is not").not.toEqual(expected);
    else expect(ours).toEqual(expected);
  });
});

test("at least 150 commands, each once, and at most one in twenty differs", () => {
  expect(commands.length).toBeGreaterThanOrEqual(150);
  expect(new Set(commands).size).toBe(commands.length);
  expect([...listed].filter((command) => !commands.includes(command))).toEqual([]);
  expect(listed.size).toBeLessThanOrEqual(commands.length / 20);
});

test.runIf(real && isRecorded)("is recorded", async () => {
  await writeFile(recording, `${JSON.stringify(Object.fromEntries(met), null, 1)}\n`);
});
