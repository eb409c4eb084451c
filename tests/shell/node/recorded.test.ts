import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cases } from "./cases.ts";
import { comparable, prepared } from "./compare.ts";
import { contextCases } from "./context-cases.ts";
import { moduleCases } from "./module-cases.ts";
import { processCases } from "./process-cases.ts";
import { inNode } from "./real.ts";
import { isSameNode, nameOf, realRun, recording } from "./recorded.ts";
import { signalFiles, signalLines } from "./signal-lines.ts";

const runs = [
  ...[...Object.values(cases).flat(), ...processCases, ...contextCases, ...moduleCases].map(prepared),
  ...signalLines.map(([, run]) => ({ run, files: signalFiles })),
];

test.runIf(process.env["VIBEY_RECORD"] === "1")("what Node prints is recorded", { timeout: 600_000 }, async () => {
  expect(isSameNode).toBe(true);
  const answers: Record<string, unknown> = {};
  for (const { run, files } of runs) answers[nameOf(run, files)] = { run, ...comparable(await inNode(run, files)) };
  writeFileSync(recording, `${JSON.stringify(answers, null, 1)}\n`);
});

test.runIf(process.env["VIBEY_RECORD"] !== "1")("every case is recorded", async () => {
  for (const { run, files } of runs) await realRun(run, files);
});
