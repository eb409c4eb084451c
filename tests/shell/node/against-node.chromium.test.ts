import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "vitest/browser";
import { cases } from "./cases.ts";
import { comparable, prepared } from "./compare.ts";
import { differentInFrame } from "./different.ts";
import { testFrame, type TestFrame } from "./frame.ts";
import { ourMachine, type Printed } from "./machine.ts";

interface NodeCommands {
  readonly realRun: (line: string, files: Readonly<Record<string, string>>) => Promise<Printed>;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- vitest.config.ts adds it.
const { realRun } = commands as unknown as NodeCommands;

let here: TestFrame;
beforeAll(async () => {
  here = await testFrame();
});
afterAll(() => here.close());

/** The same programs as in `against-node.test.ts`, in the browser's own engine. */
describe("what Node prints", () => {
  for (const [section, list] of Object.entries(cases)) {
    test(section, async ({ skip }) => {
      if (!(await realRun("node --version", {})).stdout.startsWith("v20.")) return skip("this machine has another Node");
      const wrong: unknown[] = [];
      for (const one of list) {
        const { run, files } = prepared(one);
        const title = typeof one === "string" ? one : `${one.run} ${Object.values(one.files).at(-1)}`;
        const [theirs, machine] = await Promise.all([realRun(run, files), ourMachine({ files, programs: async () => here.frame })]);
        const [ours, wanted] = [comparable(await machine.run(run)), comparable(theirs)];
        const isSame = JSON.stringify(ours) === JSON.stringify(wanted);
        // What is listed as different and is not any more has to leave the list.
        if (isSame === (differentInFrame.has(title) || differentInFrame.has(run))) wrong.push({ title, ours, wanted });
      }
      expect(wrong).toEqual([]);
    });
  }
});
