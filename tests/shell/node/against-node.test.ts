import { describe, expect, test } from "vitest";
import { isLong } from "../../long.ts";
import { cases, ofEngine } from "./cases.ts";
import { comparable, prepared } from "./compare.ts";
import { different, unsteadyInQuickJs } from "./different.ts";
import { ourMachine } from "./machine.ts";
import { realRun } from "./recorded.ts";

/** `ofEngine` runs whole in the browser (`against-node.chromium.test.ts`), so every fourth case of it is enough here with each change. */
const isChosen = (section: string, at: number): boolean => isLong || !ofEngine.includes(section) || at % 4 === 0;

describe("what Node prints", () => {
  for (const [section, list] of Object.entries(cases)) {
    describe(section, () => {
      test.concurrent.each(
        list
          .filter((_, at) => isChosen(section, at))
          .map((one) => [typeof one === "string" ? one : `${one.run} ${Object.values(one.files).at(-1)}`, one] as const)
          .filter(([title]) => !unsteadyInQuickJs(title)),
      )("%s", async (title, one) => {
        const { run, files } = prepared(one);
        const [theirs, machine] = await Promise.all([realRun(run, files), ourMachine({ files })]);
        const ours = comparable(await machine.run(run));
        const reason = different.get(title) ?? different.get(run);
        if (reason === undefined) expect(ours).toEqual(comparable(theirs));
        // A case that is listed as different but no longer differs must be removed from the list.
        else expect(ours).not.toEqual(comparable(theirs));
      });
    });
  }
});
