import { expect, test } from "vitest";
import { createMemoryGuard } from "../../src/shell/embedded/memory.ts";
import { loopbackWorker } from "./loopback.ts";
import { project } from "./project.ts";

const million = "x".repeat(1_000_000);
const guarded = (state: object) => createMemoryGuard(() => 0).isTooMuch({ ctx: { fs: {}, state } });
const many = (count: number) => new Map(Array.from({ length: count }, (_, i) => [String(i), million]));

test.each<[string, object, boolean]>([
  ["few variables", { env: many(200) }, false],
  ["too many variables", { env: many(257) }, true],
  ["an array", { env: new Map(), arrays: new Map([["a", { kind: "indexed", elements: many(257) }]]) }, true],
  ["what calls have put aside", { env: many(100), localScopes: [many(100), many(100)] }, true],
  [
    "the same map twice",
    {
      env: many(200),
      get again() {
        return this.env;
      },
    },
    false,
  ],
  ["what is read from", { env: new Map(), groupStdin: "x".repeat(257_000_000) }, true],
])("%s", (_, state, isTooMuch) => {
  expect(guarded(state)).toBe(isTooMuch);
});

test("those of all interpreters count together, until they end, and are not looked at all the time", () => {
  let now = 0;
  const guard = createMemoryGuard(() => (now += 1));
  const interpreters = [1, 2, 3, 4].map(() => ({ ctx: { fs: {}, state: { env: many(200) } } }));
  const looks = interpreters.map((each) => {
    now += 1000;
    return guard.isTooMuch(each);
  });
  expect(looks).toEqual([false, false, false, true]);
  const [first, second] = interpreters;
  if (!first || !second) throw new Error("there are four");
  expect(guard.isTooMuch(first)).toBe(false);
  guard.forget(second);
  now += 1000;
  expect(guard.isTooMuch(first)).toBe(false);
});

/** 33 MB. */
const large = "x=x; for i in {1..25}; do x=$x$x; done;";

test.each([
  ["an array", `${large} a=(); while :; do a+=("$x"); done`],
  ["variables", `${large} i=0; while :; do i=$((i+1)); eval "v$i=\\$x"; done`],
  ["calls", `${large} f() { local y="$x$1"; f $(($1+1)); }; f 1`],
])("%s that take too much end the script, and what was printed is kept", async (_, command) => {
  const { run } = await project({ createWorker: loopbackWorker });
  const outcome = await run(`echo before; ${command}; echo never`);
  expect(outcome).toMatchObject({ stdout: "before\n", exitCode: 126, limit: null });
  expect(outcome.stderr).toBe("vibey: stopped: the shell's variables take more than 256 MB\n");
  expect((await run("echo after")).stdout).toBe("after\n");
});
