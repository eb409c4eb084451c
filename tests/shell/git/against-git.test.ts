import { describe, expect, test } from "vitest";
import { hasGit, type Printed, ourMachine, realMachine } from "./machine.ts";
import { sequences } from "./sequences.ts";

describe.skipIf(!hasGit)("prints what git prints (skipped where git is not installed)", () => {
  test.for(Object.entries(sequences))("%s", async ([, lines]) => {
    const ours = ourMachine();
    const real = realMachine();
    try {
      const mine: (readonly [string, Printed])[] = [];
      const wanted: (readonly [string, Printed])[] = [];
      for (const line of lines) {
        mine.push([line, await ours.run(line)]);
        wanted.push([line, await real.run(line)]);
      }
      const plain = (rows: readonly (readonly [string, Printed])[]): string =>
        // The folder of docs and dialogs is always there in a shell.
        rows.map(([line, { stdout, exitCode }]) => `$ ${line}\n${stdout.replaceAll(/^vibey\n/gm, "")}[${exitCode}]`).join("\n");
      expect(plain(mine)).toBe(plain(wanted));
    } finally {
      real.end();
    }
  });
});
