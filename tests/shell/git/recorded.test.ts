import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ourMachine, printed, realMachine } from "./machine.ts";
import { recordedSequences } from "./recorded-sequences.ts";
import { sequences } from "./sequences.ts";

/**
 * Runs sequences in our git and compares them with what git 2.39.5 printed, which is in `recorded.json`. `VIBEY_RECORD=1` writes that file again with
 * this machine's git. This takes a tenth of the time of `against-git.test.ts`, which also reads each other's repositories.
 */
const recording = new URL("recorded.json", import.meta.url);
const all = { ...sequences, ...recordedSequences };
const isRecording = process.env["VIBEY_RECORD"] === "1";

test.runIf(isRecording)("what git prints is recorded", async () => {
  const answers: Record<string, string[]> = {};
  for (const [name, lines] of Object.entries(all)) {
    const machine = realMachine();
    expect((await machine.run("git --version")).stdout).toBe("git version 2.39.5\n");
    machine.end();
    const real = realMachine();
    answers[name] = await printed(real, lines);
    real.end();
  }
  writeFileSync(recording, `${JSON.stringify(answers, null, 1)}\n`);
});

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this test writes the file.
const recorded = isRecording ? {} : (JSON.parse(readFileSync(recording, "utf8")) as Record<string, string[]>);

test.runIf(!isRecording).for(Object.entries(all))("%s", async ([name, lines]) => {
  expect(await printed(ourMachine(), lines)).toEqual(recorded[name]);
});
