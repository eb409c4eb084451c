import { appendFileSync } from "node:fs";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contents, exported, fill, taken, zipProject } from "../zip/project.ts";
import { bareRepository, type Files, hooks, oddNames, selfRunning, settings, shortNames, spellings } from "./attacks.ts";
import { hasGit, type Machine, machine, poisoned } from "./machine.ts";

const times = Number(process.env["VIBEY_CHAOS_TIMES"] ?? "10");
const seed = Number(process.env["VIBEY_CHAOS_SEED"] ?? "1");
const countFile = process.env["VIBEY_CHAOS_COUNT"];

/** Every way alone, and mixes of them, through the real route and real git: `npm run chaos -- export`. */
describe.runIf(process.env["VIBEY_CHAOS"] !== undefined && hasGit)("the campaign of exports", () => {
  let m: Machine;
  beforeAll(() => (m = machine()));
  afterAll(() => m.close(), 600_000);
  /** The number of ways whose files run the program if they are used unchanged. */
  let live = 0;

  const lured = (lines = "") =>
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = ${m.canary}\n${lines}`;
  const script = () => `#!/bin/sh\nexec ${m.canary}\n`;

  const ways: readonly (readonly [string, () => Files])[] = [
    ...settings.map((one): readonly [string, () => Files] => [`setting ${JSON.stringify(one)}`, () => poisoned(m, "", [one])]),
    ["config.worktree", () => ({ ...poisoned(m, "", ["[extensions]\n\tworktreeConfig = true"]), ".git/config.worktree": lured() })],
    ...hooks.map((name): readonly [string, () => Files] => [
      `hook ${name}`,
      () => ({ ...poisoned(m, "", []), [`.git/hooks/${name}`]: script() }),
    ]),
    ...spellings.map((name): readonly [string, () => Files] => [
      `spelling ${JSON.stringify(name)}`,
      () =>
        Object.fromEntries(Object.entries(bareRepository("x/", lured())).map(([path, data]) => [path.replace("x/", `a/${name}/`), data])),
    ]),
    ["a folder that is a repository", () => bareRepository("src/lib/", lured())],
    ["the project's own folder", () => ({ ...bareRepository("", lured()), "src/a.js": "1" })],
    ["a nested repository", () => ({ ...m.repository(), ...poisoned(m, "site/deep/", ["[core]\n\tfsmonitor = @"], true) })],
    ["a file .git", () => ({ ...bareRepository("evil/", lured()), "src/.git": "gitdir: ../evil\n" })],
    [
      "a file .git into .git",
      () => ({ ...poisoned(m, "", []), ...bareRepository(".git/modules/x/", lured()), "x/.git": "gitdir: ../.git/modules/x\n" }),
    ],
    ["commondir", () => ({ ...bareRepository("evil/", lured()), "c/HEAD": "ref: refs/heads/main\n", "c/commondir": "../evil\n" })],
    ["commondir in .git", () => ({ ...bareRepository("evil/", lured()), ...m.repository(), ".git/commondir": "../evil\n" })],
    [
      "alternates",
      () => ({ ...poisoned(m, "", ["[core]\n\talternateRefsCommand = @"]), ".git/objects/info/alternates": "../../evil/objects\n" }),
    ],
    [
      "upper case of a folder that is a repository",
      () => ({ "U/head": "ref: refs/heads/main\n", "U/Objects": "", "U/REFS/x": "", "U/Config": lured() }),
    ],
    ["names that lead elsewhere, and short ones", () => Object.fromEntries([...oddNames, ...shortNames].map((name) => [name, script()]))],
    ["files that run by themselves", () => Object.fromEntries(selfRunning.map((name) => [name, script()]))],
  ];

  const note = (commands: number) => countFile !== undefined && appendFileSync(countFile, `${commands}\n`);

  async function hold(files: Files): Promise<void> {
    const p = await zipProject();
    await fill(p.store, files);
    for (const form of ["safe", "as-it-is"]) {
      const zip = await exported(p, `all&form=${form}`);
      const used = m.useEverywhere(m.unzip(zip), true);
      note(used.commands);
      expect([form, m.ran()]).toEqual([form, 0]);
      await taken(p, zip, "?into=new");
      const made = p.made.at(-1);
      expect(contents(made?.store ?? { ...p.store, names: new Map() })).toEqual(contents(p.store));
    }
  }

  test.each(ways)("%s", { timeout: 3_600_000 }, async (_way, files) => {
    m.useEverywhere(m.lay(files()), true);
    if (m.ran() > 0) live += 1;
    await hold(files());
  });

  test("mixes of all ways, in folders of any name", { timeout: 3_600_000 }, async () => {
    const prefix = fc.constantFrom("", "a/", "site/", "a/b/", "objects/", "refs/", ".git/", "hooks/", "x~held-back/");
    const part = fc.tuple(prefix, fc.nat(ways.length - 1));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), async (parts) => {
        const all: Record<string, string | Uint8Array> = {};
        for (const [folder, nth] of parts) for (const [path, data] of Object.entries(ways[nth]?.[1]() ?? {})) all[folder + path] = data;
        await hold(all);
      }),
      { numRuns: times, seed },
    );
  });

  test("the files as they are run the program: the campaign would have seen it", () => {
    expect(live).toBeGreaterThan(40);
  });
});
