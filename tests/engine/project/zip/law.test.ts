import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { contents, exported, fill, looked, taken, type ZipProject, zipProject } from "./project.ts";
import { isLong } from "../../../long.ts";

const dialog = "# Dialog\n> Format: 1\n> Provider: claude | Model: m\n\n## User\n> Time: t\n\nHello\n";

/** The content of the history: its objects and its branch's commit. */
const history = ({ memory }: Pick<ZipProject, "memory">) => ({
  objects: [...memory.objects.keys()].toSorted(),
  head: memory.commits.at(-1)?.id,
  changes: memory.changes,
});

const segment = fc.constantFrom(
  "a",
  "A",
  "b.js",
  "Ü",
  "src",
  "日本",
  "a~same-name-2",
  "node_modules",
  ".gitignore",
  "x y",
  "a.",
  "history.git",
  ".git",
);
const name = fc.oneof(
  { weight: 4, arbitrary: fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")) },
  fc.constantFrom("vibey/doc-main.md", "vibey/doc-a.md", "vibey/doc-A.md", "vibey/agent-x.md", "vibey/dialog-20261121-201100-game-done.md"),
);
const content = fc.oneof(
  fc.string(),
  fc.uint8Array({ maxLength: 50 }),
  fc.constantFrom("x".repeat(5000), "\ufeff\r\n", "# Main\n\n> quote\n"),
);

test("law: import(export(p)) is p, byte for byte, with its history", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.dictionary(name, content, { maxKeys: 6 }), { minLength: 1, maxLength: 3 }), async (states) => {
      const p = await zipProject();
      await fill(p.store, { "vibey/dialog-20261121-201101-other-waiting.md": dialog });
      for (const state of states) {
        const own = Object.entries(state).map(([path, data]) => [path, path.startsWith("vibey/dialog-") ? dialog : data] as const);
        await fill(p.store, Object.fromEntries(own));
        await p.pass(Infinity);
        await p.history();
      }
      const zip = await exported(p);
      expect(await exported(p)).toEqual(zip);
      expect(await taken(p, zip, "?into=new&accept=1")).toMatchObject({ ok: true, project: "made1" });
      const [made] = p.made;
      if (!made) throw new Error("nothing was made");
      expect(contents(made.store)).toEqual(contents(p.store));
      expect(history(made)).toEqual(history(p));
      expect([made.closed, made.discarded]).toEqual([true, false]);
      // Importing into the project itself adds nothing.
      const here = await taken(p, zip, "?into=here&conflicts=theirs&accept=1");
      expect([here.added, here.replaced, here.renamed, here.kept]).toEqual([0, 0, 0, 0]);
      expect(p.reported).toEqual([]);
    }),
    { numRuns: isLong ? 200 : 20 },
  );
});

test("a project that was made of a zip opens with its history, and nothing in it counts as changed", async () => {
  const p = await zipProject();
  await p.save("doc-main.md", "# One\n");
  await p.put("src/a.js", "1");
  await p.history();
  await p.save("doc-main.md", "# Two\n");
  await p.history();
  const before = await p.lines();
  await taken(p, await exported(p), "?into=new");
  const [made] = p.made;
  if (!made) throw new Error("nothing was made");
  const again = await zipProject({ store: made.store, memory: made.memory });
  expect(await again.lines()).toEqual(before);
  const [newest] = (await again.history()).commits;
  await again.turnBack("undo", newest?.id ?? "");
  expect((await again.texts())["vibey/doc-main.md"]).toBe("# One\n");
});

const hasGit = (() => {
  try {
    execFileSync("git", ["--version"]);
    execFileSync("unzip", ["-v"]);
    return true;
  } catch {
    return false;
  }
})();

/** Unpacks the zip into a folder. Returns git in that folder. */
function unzipped(zip: Uint8Array): (folder: string, ...args: string[]) => string {
  const folder = mkdtempSync(join(tmpdir(), "vibey-zip-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "a.zip"), zip);
  execFileSync("unzip", ["-q", "a.zip", "-d", "out"], { cwd: folder });
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  return (where, ...args) =>
    execFileSync("git", args, { cwd: join(folder, "out", where), env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

test.skipIf(!hasGit)("git opens the zip, finds no fault, and sees the files as they are", async () => {
  const p = await zipProject();
  await p.save("doc-main.md", "# One\n");
  await p.put("src/a.js", "1");
  await p.history();
  await p.put("src/a.js", "2");
  await p.history();
  const git = unzipped(await exported(p));
  expect(git(".", "fsck", "--strict", "--full")).toBe("");
  expect(git(".", "log", "--format=%an %s").trim().split("\n")).toEqual(
    (await p.lines()).map((line) => line.replace(/^human: /, "Human ").replace(/^vibey: /, "Vibey ")),
  );
  expect(git(".", "show", "HEAD:src/a.js")).toBe("2");
  expect(git(".", "status", "--porcelain")).toBe("");
});

test.skipIf(!hasGit)("beside a repository of the deed's own the history is history.git, and both are whole", async () => {
  const p = await zipProject();
  await fill(p.store, {
    ".git/HEAD": "ref: refs/heads/mine\n",
    ".git/config": "[core]\n\trepositoryformatversion = 0\n[vibey]\n",
    ".git/refs/heads/x": "",
    ".git/objects/x": "",
  });
  await p.save("doc-main.md", "# One\n");
  await p.history();
  const zip = await exported(p);
  const git = unzipped(zip);
  expect(git(".", "symbolic-ref", "HEAD")).toBe("refs/heads/mine\n");
  expect(git("history.git", "fsck", "--strict", "--full")).toBe("");
  expect(git("history.git", "rev-list", "--count", "main").trim()).toBe(`${p.memory.commits.length}`);
  expect((await looked(p, zip)).history).toEqual({ kind: "whole", commits: p.memory.commits.length });
});
