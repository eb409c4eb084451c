/// <reference types="vite/client" />
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "vitest/browser";
import { type Case, cases, ofEngine } from "./cases.ts";
import { contextCases } from "./context-cases.ts";
import { comparable, prepared } from "./compare.ts";
import { differentInFrame } from "./different.ts";
import { moduleCases } from "./module-cases.ts";
import { processCases } from "./process-cases.ts";
import { testFrame, type TestFrame } from "./frame.ts";
import { ourMachine, type Printed } from "./machine.ts";

interface NodeCommands {
  readonly realRun: (line: string, files: Readonly<Record<string, string>>) => Promise<Printed>;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- vitest.config.ts adds it.
const { realRun } = commands as unknown as NodeCommands;

/** The sections that aren't here test the library inside, which is the same on QuickJS. `npm run chaos -- units` compares all of them here. */
const chosen: readonly (readonly [section: string, list: readonly Case[]])[] = [
  ...Object.entries(cases).filter(([section]) => import.meta.env["VITE_ALL_CASES"] === "1" || ofEngine.includes(section)),
  ["several processes", processCases],
  ["contexts", contextCases],
  ["imports", moduleCases],
];

/** Two frames run cases at the same time: one waits for its worker or for Node while the other computes. */
let lanes: readonly TestFrame[] = [];
beforeAll(async () => {
  lanes = await Promise.all([testFrame(), testFrame()]);
});
afterAll(() => {
  for (const lane of lanes) lane.close();
});

/** The unexpected result of a case. Null: it is as expected. */
async function wrongIn(one: Case, { frame }: TestFrame): Promise<unknown> {
  const { run, files } = prepared(one);
  const title = typeof one === "string" ? one : `${one.run} ${Object.values(one.files).at(-1)}`;
  const [theirs, machine] = await Promise.all([realRun(run, files), ourMachine({ files, programs: async () => frame })]);
  const [ours, wanted] = [comparable(await machine.run(run)), comparable(theirs)];
  const isSame = JSON.stringify(ours) === JSON.stringify(wanted);
  // A case that is listed as different but no longer differs must be removed from the list.
  return isSame === (differentInFrame.has(title) || differentInFrame.has(run)) ? { title, ours, wanted } : null;
}

/** The same programs as in `against-node.test.ts`, in the browser's own engine. */
describe("what Node prints", () => {
  for (const [section, list] of chosen) {
    test(section, async () => {
      const wrong: unknown[] = [];
      const waiting = [...list];
      await Promise.all(
        lanes.map(async (lane) => {
          for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) wrong.push(await wrongIn(one, lane));
        }),
      );
      expect(wrong.filter((one) => one !== null)).toEqual([]);
    });
  }
});
