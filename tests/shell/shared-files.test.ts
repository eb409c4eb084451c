import * as fc from "fast-check";
import { expect, test } from "vitest";
import { path } from "../fs/notation.ts";
import { loopbackWorker } from "./loopback.ts";
import { project, type TestProject } from "./project.ts";

const listed = 'cd /project; find . -type f | sort | while read f; do echo "$f=$(cat $f)"; done';

/** What every dialog should see: the store's files, except one whose name is also a folder's. */
async function stored({ files: store }: TestProject): Promise<string> {
  const paths = (await store.list()).map((stat) => stat.path);
  const seen = paths.filter((each) => !paths.some((other) => other.startsWith(`${each}/`)));
  const contents = await store.readMany(seen);
  return seen
    .map((each, at) => `./${each}=${new TextDecoder().decode(contents[at]?.bytes).replace(/\n+$/, "")}\n`)
    .toSorted()
    .join("");
}

const name = fc.constantFrom("a", "a/b", "a/b/c", "d", "d/e", "__proto__", "constructor/x");
const folder = fc.constantFrom("a", "a/b", "d", "constructor");
const dialog = fc.constantFrom("one", "two", "three", "four", "five", "six");
const byCommand = fc.oneof(
  fc.tuple(name, fc.nat(9)).map(([to, n]) => `mkdir -p "$(dirname ${to})" && echo ${n} > ${to}`),
  fc.tuple(name, fc.nat(9)).map(([to, n]) => `echo ${n} >> ${to}`),
  name.map((each) => `rm -rf ${each}`),
  folder.map((each) => `mkdir -p ${each}`),
  fc.tuple(name, name).map(([from, to]) => `mv ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `cp -r ${from} ${to}`),
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ by: dialog, command: byCommand }) },
  { weight: 1, arbitrary: fc.record({ put: name, text: fc.nat(9).map(String) }) },
  { weight: 1, arbitrary: fc.record({ removed: name }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(made: TestProject, each: Step): Promise<void> {
  if ("command" in each) await made.runAndKeep(`{ ${each.command}; } 2> /dev/null`, { session: each.by });
  else if ("put" in each) await made.put(each.put, each.text);
  else if ((await made.files.stat(path(each.removed))) !== null)
    await made.files.commit([{ op: "remove", path: path(each.removed) }], { durability: "relaxed" });
}

test("whatever dialogs and the human change, each dialog's next command sees the project as it is stored", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const made = await project({ createWorker: loopbackWorker });
      for (const each of steps) await take(made, each);
      const expected = await stored(made);
      for (const session of ["one", "two", "three", "four", "five", "six"]) {
        expect((await made.run(listed, { session })).stdout).toBe(expected);
      }
      made.sandbox.dispose();
    }),
    { numRuns: process.env["VIBEY_CHAOS"] === "1" ? 2_000 : 25 },
  );
}, 900_000);
