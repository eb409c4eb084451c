import { describe, expect, test } from "vitest";
import { type Case, cases } from "./cases.ts";
import { different } from "./different.ts";
import { ourMachine, type Printed } from "./machine.ts";
import { realRun } from "./real.ts";

const sameVersion = process.version.startsWith("v20.");

/** Every case with what runs it. */
function prepared(one: Case): { readonly run: string; readonly files: Readonly<Record<string, string>> } {
  if (typeof one !== "string") return one;
  if (/^(node|echo|printf) /.test(one)) return { run: one, files: {} };
  const name = /^\s*(import|export)\b[^(]|\bawait import\(/m.test(one) && !/^const .*require\(/.test(one) ? "main.mjs" : "main.js";
  return { run: `node ${name}`, files: { [name]: one } };
}

/** Without what differs from machine to machine: stacks and times. */
function comparable({ stdout, stderr, exitCode }: Printed): Printed {
  const plain = (text: string): string =>
    text
      .replaceAll(/\n\s+at .*/g, "")
      .replaceAll(/\(?\d+(\.\d+)?ms\)?/g, "(ms)")
      .replaceAll(/duration_ms:? [\d.]+/g, "duration_ms")
      .replaceAll(/node:\d+/g, "node:PID");
  return { stdout: plain(stdout), stderr: plain(stderr), exitCode };
}

describe.runIf(sameVersion)("what Node prints", () => {
  for (const [section, list] of Object.entries(cases)) {
    describe(section, () => {
      test.concurrent.each(
        list.map((one) => [typeof one === "string" ? one : `${one.run} ${Object.values(one.files).at(-1)}`, one] as const),
      )("%s", async (title, one) => {
        const { run, files } = prepared(one);
        const [theirs, machine] = await Promise.all([realRun(run, files), ourMachine({ files })]);
        const ours = comparable(await machine.run(run));
        const reason = different.get(title) ?? different.get(run);
        if (reason === undefined) expect(ours).toEqual(comparable(theirs));
        // What is listed as different and is not any more has to leave the list.
        else expect(ours).not.toEqual(comparable(theirs));
      });
    });
  }
});
