import { assert, asyncProperty, constantFrom, pre, tuple, uniqueArray } from "fast-check";
import { expect, test } from "vitest";
import { npmMachine, type NpmMachine } from "./machine.ts";
import { packagesOf, standIn } from "./stand-in.ts";

const names = ["a", "b", "c", "d", "e"];
const versions = ["1.0.0", "1.1.0", "2.0.0"];
const ranges = ["^1", "1.0.0", "^2", "*", ">=1.1"];
const dependency = tuple(constantFrom("", "", "", "peer:", "opt:"), constantFrom(...names), constantFrom(...ranges));
const dependencies = uniqueArray(dependency, { maxLength: 3, selector: ([, name]) => name });
/** Every package in every version, each with its own dependencies. */
const registries = tuple(
  ...names.flatMap((name) =>
    versions.map((version) =>
      dependencies.map((list) => `${name} ${version} ${list.map(([kind, to, range]) => `${kind}${to}@${range}`).join(" ")}`),
    ),
  ),
);
const roots = uniqueArray(tuple(constantFrom(...names), constantFrom(...ranges)), {
  minLength: 1,
  maxLength: 3,
  selector: ([name]) => name,
});

function machine(registry: readonly string[], root: readonly (readonly [string, string])[]): NpmMachine {
  const packages = standIn();
  packages.add(...packagesOf(registry.join("\n")));
  const made = npmMachine(packages);
  made.put({ "package.json": { name: "p", version: "1.0.0", dependencies: Object.fromEntries(root) } });
  return made;
}

const content = (m: NpmMachine): string => JSON.stringify(m.list().map((path) => [path, m.read(path)]));

test("what is installed fits together, ci gives the same, and nothing changes by itself", async () => {
  await assert(
    asyncProperty(registries, roots, async (registry, root) => {
      const m = machine(registry, root);
      const first = await m.run("npm install");
      // Conflicting peers are refused or reported, as in npm.
      pre(!/ERESOLVE|npm warn unmet/.test(first.stderr));
      expect([first.exitCode, first.stderr]).toEqual([0, ""]);
      const after = content(m);
      const listed = await m.run("npm ls --all");
      expect([listed.exitCode, listed.stderr]).toEqual([0, ""]);
      expect((await m.run("npm ci")).exitCode).toBe(0);
      expect(content(m)).toBe(after);
      expect((await m.run("npm install")).stdout).toMatch(/^\nup to date/);
      expect(content(m)).toBe(after);
      expect((await m.run(`npm uninstall ${root.map(([name]) => name).join(" ")}`)).exitCode).toBe(0);
      expect(m.list("node_modules")).toEqual([]);
    }),
    { numRuns: 40, seed: 1 },
  );
});
