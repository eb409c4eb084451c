import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { FileStat } from "../../src/fs/files.ts";
import type { Open } from "./contract.ts";
import { changes, path } from "./notation.ts";

/** Commits and lists that run at the same time on two handles; then the lists in `after`, one after the other. */
interface Step {
  readonly commits: readonly { readonly by: 0 | 1; readonly lines: string }[];
  readonly meanwhile: readonly Asked[];
  readonly after: readonly Asked[];
}
interface Asked {
  readonly by: 0 | 1;
  readonly prefix: string;
}

type Model = ReadonlyMap<string, FileStat>;

/** Applies a stored commit to the model. Refused commits change nothing and aren't passed here. */
function after(model: Model, lines: string, version: number, mtime: number): Model {
  const files = new Map(model);
  for (const line of lines.split(";")) {
    const [op, name = "", word = ""] = line.trim().split(" ");
    const before = files.get(name);
    if (op === "write" || op === "append") {
      const size = word.length + (op === "append" ? (before?.size ?? Number.NaN) : 0);
      files.set(name, { path: path(name), size, version, mtime });
    }
    if (op === "remove" || op === "rename") files.delete(name);
    if (op === "rename" && before) files.set(word, { ...before, path: path(word), version });
  }
  return files;
}

const listed = (model: Model, prefix: string): FileStat[] =>
  [...model.values()].filter((stat) => stat.path.startsWith(prefix)).toSorted((a, b) => (a.path < b.path ? -1 : 1));

const name = fc.constantFrom("a", "a/b", "a/c", "ab", "b", "\u{1f600}", "\uffee/x");
const line = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant("write"), name, fc.constantFrom("1", "22", "333")) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("append"), name, fc.constantFrom("4", "55")) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("remove"), name) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("rename"), name, name) },
  fc.tuple(fc.constant("fold"), name),
);
const by = fc.constantFrom<0 | 1>(0, 1);
const asked = fc.array(fc.record({ by, prefix: fc.constantFrom("", "", "a", "a/", "\uffee", "none") }), { maxLength: 2 });
const lines = fc
  .array(
    line.map((parts) => parts.join(" ")),
    { minLength: 1, maxLength: 3 },
  )
  .map((each) => each.join(";"));
const step: fc.Arbitrary<Step> = fc.record({
  commits: fc.array(fc.record({ by, lines }), { maxLength: 3 }),
  meanwhile: asked,
  after: asked,
});

/** Whatever two handles do, each lists the current files: never an older state, and never one that didn't exist. */
export function listLaw(make: () => Open): void {
  test("two handles that write, remove and rename list the truth at any moment", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const clock = { now: 0 };
        const open = make();
        const handles = [await open(() => clock.now), await open(() => clock.now)] as const;
        const list = (of: Asked): Promise<FileStat[]> => handles[of.by].list(of.prefix);
        try {
          let model: Model = new Map();
          for (const { commits, meanwhile, after: later } of steps) {
            clock.now += 1;
            const done = commits.map((each) => handles[each.by].commit(changes(each.lines), { durability: "relaxed" }));
            const seen = await Promise.all(meanwhile.map(list));
            const results = await Promise.all(done);
            const stored = results
              .flatMap((result, at) => (result.ok ? [{ version: result.version, lines: commits[at]?.lines ?? "" }] : []))
              .toSorted((a, b) => a.version - b.version);
            const states = [model];
            for (const each of stored) {
              model = after(model, each.lines, each.version, clock.now);
              states.push(model);
            }
            meanwhile.forEach(({ prefix }, at) => expect(states.map((state) => listed(state, prefix))).toContainEqual(seen[at]));
            for (const each of later) expect(await list(each)).toEqual(listed(model, each.prefix));
          }
          for (const at of [0, 1] as const) expect(await list({ by: at, prefix: "" })).toEqual(listed(model, ""));
        } finally {
          for (const handle of handles) handle.close();
        }
      }),
      { numRuns: 60 },
    );
  });
}
