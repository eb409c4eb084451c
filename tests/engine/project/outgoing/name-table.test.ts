import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createNameTable } from "../../../../src/engine/project/outgoing/name-table.ts";
import { outgoing } from "../../../../src/engine/project/outgoing/outgoing.ts";
import { patternOf, runsItself, whatRuns } from "../../../../src/engine/project/outgoing/runs-itself.ts";
import { foldedName, isGitName } from "../../../../src/fs/git-name.ts";
import { path } from "../../../fs/notation.ts";
import { lawRuns } from "../../../law-runs.ts";

const names = runsItself.flatMap((row) => row.names);

/** Segments that names in the table have, in full and in part, and others. */
const segment = fc.oneof(
  fc
    .constantFrom(...new Set(names.flatMap((name) => name.split("/"))))
    .chain((one) =>
      fc.tuple(fc.constantFrom("", "x", ".", "-"), fc.constantFrom("", "", "x")).map(([any, end]) => one.replaceAll("*", any) + end),
    ),
  fc.constantFrom("", "a", "A", "\n", ".", "node_modules", ".config", "漢"),
);
const somePath = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join("/"));

test("law: the table finds the first name whose pattern a path has", () => {
  const patterns = names.map(patternOf);
  const find = createNameTable(names);
  fc.assert(
    fc.property(somePath, (one) => {
      expect([one, find(one)]).toEqual([one, patterns.findIndex((pattern) => pattern.test(one))]);
    }),
    lawRuns(5_000),
  );
});

test.each([
  ["*a*b*", ["ab", "xaxbx", "aab"], ["ba", "a", "b"]],
  ["a*a", ["aa", "axa"], ["a"]],
  ["x/*.y/**", ["x/.y/z", "a/x/b.y/c/d", "x/.y//"], ["x/.y/", "x/.y", "y/.y/z", "xx/.y/z"]],
  ["x/y", ["x/y", "a/x/y"], ["x/y/z", "ax/y", "y"]],
])("%s", (name, found, others) => {
  const find = createNameTable([name]);
  expect([...found, ...others].map(find)).toEqual([...found.map(() => 0), ...others.map(() => -1)]);
});

test.each<[level: "held" | "listed" | undefined, names: string]>([
  ["held", "CVS/Root cvs/Update.prog .netrc _netrc .lesskey .duckdbrc .usqlrc .lftprc .editrc .Xresources .Xdefaults .ammonite/predef.sc"],
  [
    "held",
    ".bash_completion .bashrc.d/a.sh .cargo/env .selected_editor .fzf.bash .guile .sbclrc .m2/extensions.xml .nvm/nvm.sh .Xserverrc",
  ],
  ["held", ".ipython/profile_x/startup/a.py .taskrc .vnc/xstartup .pnp.js .byebugrc .opencode.json .valgrindrc .spacemacs .doom.d/init.el"],
  [
    "listed",
    "gulpfile.js Gruntfile.coffee Jakefile Cakefile Tiltfile karma.conf.js wp-cli.yml AGENT.md .phan/config.php Steepfile tslint.json",
  ],
  ["held", ".ctags .ctags.d/a.ctags .gutctags .mill-opts .mill-jvm-opts"],
  ["listed", "lakefile.lean lakefile.toml lean-toolchain build.mill build.sc mill docs/conf.py .graphqlrc.ts graphql.config.ts"],
  ["listed", ".github/workflows/a.yml .gitlab-ci.yml Jenkinsfile .circleci/config.yml azure-pipelines.yml .forgejo/workflows/a.yaml"],
  [undefined, ".m2/repository/a.pom cargo/env gulp.js CVS/Entries cvs.md lean.md ctags.d workflows/a.yml app.conf.py"],
])("%s: %s", (level, paths) => {
  for (const one of paths.split(" ")) expect([one, whatRuns(one)?.level]).toEqual([one, level]);
});

test("only G folds into the letter by which a name is looked at twice for .git, and only E and O into those of a bare repository", () => {
  const into = new Map<string, string[]>();
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const folded = foldedName(`x${character}x`);
    for (const letter of ["g", "e", "o"]) if (folded.includes(letter)) into.set(letter, [...(into.get(letter) ?? []), character]);
  }
  expect(Object.fromEntries(into)).toEqual({ g: ["G", "g"], e: ["E", "e"], o: ["O", "o"] });
  for (const name of [".git", ".G\u0131T", ".gi\u200bt", "GIT~1", ".git. ", ".git:x"])
    expect([name, isGitName(name)]).toEqual([name, true]);
  for (const name of ["git", "\u0131t", "漢", ".hit", "a\n.git"]) expect([name, isGitName(name)]).toEqual([name, false]);
});

/** Trying a pattern at each position of each path would take longer than a test's time limit. */
const many = 3_000;
test.each<[what: string, folders: (nth: number) => string]>([
  ["many folders", (nth) => Array.from({ length: 160 }, (_, at) => `${((nth * 160 + at) % 100_000).toString(36)}漢x/`).join("")],
  ["long names with dots", (nth) => `${".".repeat(120)}${"x.".repeat(60)}${nth}/`.repeat(4)],
])("a project of paths of %s leaves", async (_, folders) => {
  const paths = Array.from({ length: many }, (_each, nth) => path(`${folders(nth).slice(0, 1000)}/f${nth}.txt`.replaceAll(/\/+/g, "/")));
  const files = [...paths, path(".vscode/x")].map((each) => ({ path: each, mtime: 0 }));
  const { entries, findings, isAbsent } = await outgoing({ files, read: async () => new Uint8Array(), asTheyAre: false });
  expect([entries.length, findings.map((one) => one.path)]).toEqual([many + 1, [".vscode/x"]]);
  expect(files.filter((file) => isAbsent(file.path, file.path)).map((file) => file.path)).toEqual([".vscode/x"]);
});
