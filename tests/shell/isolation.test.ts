import { describe, expect, test } from "vitest";
import { plants, pythonReaches, sandboxReaches } from "./isolation.ts";
import { loopbackWorker } from "./loopback.ts";
import { project } from "./project.ts";

/** The campaign runs all of them. Otherwise only those that were found in practice, and one per language. */
const whole = process.env["VIBEY_CHAOS"] === "1";
const some = <T extends { readonly always?: boolean }>(all: readonly T[]): readonly T[] =>
  whole ? all : all.filter(({ always }) => always);

describe("what one dialog's command leaves behind", () => {
  test("is met by no other dialog, nor by the same one's next program", { timeout: 900_000 }, async () => {
    const { run, sandbox } = await project({ createWorker: loopbackWorker });
    const failures: string[] = [];
    let looks = 0;
    for (const { name, plant, look, clean, sameDialog = clean } of some(plants)) {
      const planted = await run(plant, { session: "a", timeoutMs: 120_000 });
      if (planted.exitCode !== 0) failures.push(`${name}: could not be planted: ${planted.stderr}`);
      for (const [session, expected] of [
        ["b", clean],
        ["a", sameDialog],
        ["b", clean],
      ] as const) {
        const { stdout, stderr } = await run(look, { session, timeoutMs: 120_000 });
        looks += 1;
        if (stdout !== expected) failures.push(`${name}, from ${session}: ${JSON.stringify(stdout + stderr)}`);
      }
    }
    expect(failures).toEqual([]);
    expect(looks).toBe(3 * some(plants).length);
    sandbox.dispose();
  });

  test("is not there in the dialog's next worker, and the dialog is told", async () => {
    const { run, sandbox } = await project({ createWorker: loopbackWorker });
    await run("echo planted > /tmp/x", { session: "a" });
    for (const session of "bcdefghi") expect((await run("ls /tmp", { session })).stdout).toBe("");
    const back = await run("ls /tmp", { session: "a" });
    expect(back).toMatchObject({
      stdout: "",
      stderr: "vibey: the shell was restarted; files outside /project, such as those in /tmp, are gone\n",
    });
    expect((await run("ls /tmp", { session: "a" })).stderr).toBe("");
    sandbox.dispose();
  });
});

describe("a way from a program to code made of text", () => {
  test("is there neither from Python nor from the shell's own languages", { timeout: 900_000 }, async () => {
    const { run, sandbox } = await project({ createWorker: loopbackWorker });
    const reached: string[] = [];
    for (const { code } of some(pythonReaches)) {
      Reflect.deleteProperty(globalThis, "vibeyReached");
      const { stdout, exitCode } = await run(`python3 - <<'EOF'\n${code}\nprint("REACHED")\nEOF`, { timeoutMs: 120_000 });
      if (exitCode === 0 || stdout.includes("REACHED") || Reflect.has(globalThis, "vibeyReached")) reached.push(code);
    }
    for (const { code } of some(sandboxReaches)) {
      await run(code, { timeoutMs: 120_000 });
      if (Reflect.has(globalThis, "vibeyReached")) reached.push(code);
    }
    expect(reached).toEqual([]);
    sandbox.dispose();
  });
});

test("Python ends with a MemoryError at 512 MB", async () => {
  const { run, sandbox } = await project({ createWorker: loopbackWorker });
  const outcome = await run("python3 -c 'x = bytearray(600_000_000)'", { timeoutMs: 120_000 });
  expect(outcome).toMatchObject({ exitCode: 1, stderr: "MemoryError: a program may take 512 MB here\n" });
  sandbox.dispose();
});
