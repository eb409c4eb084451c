import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import * as fc from "fast-check";
import JSZip from "jszip";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyZip } from "../../../../src/engine/project/recovery/copy-zip.ts";
import { path } from "../../../fs/notation.ts";
import { contents, exported, fill, taken, zipProject } from "../zip/project.ts";
import { formatIndex, parseIndex } from "../../../../src/shell/embedded/git/store/index-file.ts";
import { outgoing } from "../../../../src/engine/project/outgoing/outgoing.ts";
import { rebuildConfig } from "../../../../src/engine/project/outgoing/repository-config.ts";
import { rebuildIndex } from "../../../../src/engine/project/outgoing/repository-index.ts";
import { runsItself, whatRuns } from "../../../../src/engine/project/outgoing/runs-itself.ts";
import { sparsePatterns } from "../../../../src/engine/project/outgoing/sparse-patterns.ts";
import { bareRepository, type Files, hooks, oddNames, selfRunning, settings, shortNames, spellings } from "./attacks.ts";
import { hasGit, type Machine, machine, poisoned } from "./machine.ts";

let m: Machine;
beforeAll(() => (m = machine()));
afterAll(() => m.close());

async function zipped(files: Files, form = ""): Promise<Uint8Array<ArrayBuffer>> {
  const p = await zipProject();
  await fill(p.store, files);
  return exported(p, `all${form}`);
}

const fsmonitor = "[core]\n\tfsmonitor = @";
/** Settings that work together in one file: none of them stops git from reading the rest. */
const together = settings.filter((one) => !/worktree = |extensions|\ufeff|include/.test(one));
/** The configuration of a folder that is a repository without a working tree until this names one. */
const lured = () =>
  `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = ${m.canary}\n[alias]\n\tevil = !${m.canary}\n`;

/** Each way with the folder in which a git command starts the program if the files are used unchanged. */
const ways: readonly (readonly [way: string, folder: string, files: () => Files])[] = [
  ["every setting, and every hook", ".", () => poisoned(m, "", together, true)],
  ["a repository in a folder", "site", () => poisoned(m, "site/", [fsmonitor], true)],
  ["a folder that is a repository without a name of one", "src/lib", () => bareRepository("src/lib/", lured())],
  [
    "a file .git that leads elsewhere",
    "js",
    () => ({ ...bareRepository("evil/", lured()), "js/.git": "gitdir: ../evil\n", "js/a.js": "1" }),
  ],
  [
    "a commondir",
    "common",
    () => ({ ...bareRepository("evil/", lured()), "common/HEAD": "ref: refs/heads/main\n", "common/commondir": "../evil\n" }),
  ],
];

test.skipIf(!hasGit)("what an agent wrote starts no program when git is used on an unzipped export", async () => {
  const all: Record<string, string | Uint8Array> = {};
  for (const [way, folder, files] of ways) {
    // With unchanged files the program starts, so the test would notice.
    const there = `${m.lay(files())}/${folder}`;
    for (const command of ["status", "evil"]) m.git(there, command);
    expect([way, m.ran() > 0]).toEqual([way, true]);
    Object.assign(all, files());
  }
  const used = m.useEverywhere(m.unzip(await zipped(all)));
  expect(used.commands).toBeGreaterThan(50);
  expect(m.ran()).toBe(0);
});

test.skipIf(!hasGit)("what agents committed is whole after unzipping: log, fsck, branches, a clean status", async () => {
  const base = m.repository();
  const folder = m.unzip(await zipped({ ...base, ...Object.fromEntries(hooks.map((name) => [`.git/hooks/${name}`, "x"])) }));
  expect(m.git(folder, "fsck", "--strict", "--full")).toMatchObject({ code: 0 });
  expect(m.git(folder, "log", "--all", "--format=%s").out.split("\n").filter(Boolean).toSorted()).toEqual(["One", "Other", "Two"]);
  expect(m.git(folder, "branch", "--format=%(refname:short)").out).toBe("main\nother\n");
  expect(m.git(folder, "config", "user.name").out).toBe("Somebody\n");
  expect(m.git(folder, "status", "--porcelain", "-uno").out).toBe("");
  expect(m.git(folder, "reflog", "-1").out).toContain("Two");
});

test("no other spelling of .git leaves under its name", async () => {
  const files = Object.fromEntries(
    spellings.flatMap((name) => [
      [`a/${name}/config`, "x"],
      [`${name}/HEAD`, "x"],
      [`b/${name}`, "gitdir: x"],
    ]),
  );
  const names = Object.keys((await JSZip.loadAsync(await zipped(files))).files);
  for (const name of names)
    for (const segment of name.split("/").filter(Boolean).slice(0, -1)) if (segment !== ".git") expect(spellings).not.toContain(segment);
  expect(names.filter((name) => name.includes("~held-back"))).toHaveLength(spellings.length * 3);
});

test("what runs by itself is held back, unless the human wants it as it is", async () => {
  const files = Object.fromEntries(selfRunning.map((name) => [name, `of ${name}`]));
  const names = async (form: string) => Object.keys((await JSZip.loadAsync(await zipped(files, form))).files);
  const safe = await names("");
  for (const name of selfRunning) expect(safe).not.toContain(name);
  expect(safe.filter((name) => name.includes("~held-back"))).toHaveLength(selfRunning.length);
  expect((await names("&form=as-it-is")).filter((name) => name.includes("~held-back"))).toEqual([]);
});

test("a project with none of this leaves as it is", async () => {
  const files = {
    "src/a.js": "1",
    "package.json": '{"scripts":{"test":"x"}}',
    HEAD: "x",
    "refs/x": "x",
    ".gitignore": "dist\n",
    "README.md": "# A",
  };
  const zip = await JSZip.loadAsync(await zipped(files));
  for (const [name, text] of Object.entries(files)) expect(await zip.file(name)?.async("text")).toBe(text);
  expect(Object.keys(zip.files).filter((name) => name.includes("~held-back"))).toEqual([]);
});

test("what was checked leaves, whatever the file says by the time the zip has it", async () => {
  const repository = { ".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n" };
  const files = Object.keys(repository).map((name) => ({ path: path(name), mtime: 0 }));
  let now: Readonly<Record<string, string>> = repository;
  const read = async (name: string) => new TextEncoder().encode(now[name]);
  const { entries } = await outgoing({ files, read, asTheyAre: false });
  now = { ".git/HEAD": "x", ".git/config": "[core]\n\tfsmonitor = x\n" };
  const left = await Promise.all(
    entries.map(async ({ path: name, read: content }) => [name, new TextDecoder().decode((await content()) ?? undefined)]),
  );
  expect(Object.fromEntries(left)).toEqual({ ...repository, ".git/objects/": "", ".git/refs/": "" });
});

test("folders that some file systems take for one are one repository", async () => {
  const bare = bareRepository("", "[core]\n\tfsmonitor = x\n");
  const places = ["Site/", "site/", "site./", "s\u200bite/"];
  const split = Object.fromEntries(Object.entries(bare).map(([name, data], at) => [(places[at] ?? "") + name, data]));
  const names = Object.keys(
    (await JSZip.loadAsync(await zipped({ ...split, "commoN/HEAD": "ref: refs/heads/main\n", "common/commondir": "x" }))).files,
  );
  expect(names.filter((name) => /^(?!\.git\/).*(?:config|commondir)$/.test(name))).toEqual([]);
  expect(names.filter((name) => /(?:config|commondir)~held-back$/.test(name))).toHaveLength(2);
});

test("no file leaves below a name that Windows may take for another folder", async () => {
  const safe = await JSZip.loadAsync(await zipped(Object.fromEntries(shortNames.map((name) => [name, "x"]))));
  for (const name of shortNames) expect([safe.file(name), safe.file(`${name}~held-back`)?.name]).toEqual([null, `${name}~held-back`]);
});

/** The names that Python's zipfile and 7-Zip write on Windows. */
const onWindows = (name: string) => [/[<>:"|?*]/g, /[<>:"|?*]|[. ](?=[. ]*(?:\/|$))/g].map((unwritten) => name.replaceAll(unwritten, "_"));

test("no name leaves that programs which unpack on Windows write as one of the table, or as one of a repository", async () => {
  const names = ["?exrc", "|vimrc", ":irbrc", "profile?default/startup/x.py", "*darcs/prefs/x", ".?y", "pip/??init??.py", "_fossil."];
  const bare = bareRepository("a?b/", "[core]\n\tfsmonitor = x\n");
  const split = Object.fromEntries(Object.entries(bare).map(([name, data], at) => [at % 2 === 0 ? name : name.replace("?", "_"), data]));
  const zip = await JSZip.loadAsync(await zipped({ ...Object.fromEntries(names.map((name) => [name, "x"])), ...split, "a?.md": "x" }));
  const left = Object.keys(zip.files).filter((name) => !/~held-back$|^\.git\//.test(name));
  expect(left.flatMap(onWindows).filter((name) => whatRuns(name)?.level === "held" || /(?:^|\/)config$/.test(name))).toEqual([]);
  expect(left).toContain("a?.md");
  for (const name of names) expect([name, zip.file(`${name}~held-back`)?.name]).toEqual([name, `${name}~held-back`]);
});

/** Without a store: the findings for some files, and the names that are exported. */
async function looked(files: Readonly<Record<string, string>>) {
  const { findings, entries } = await outgoing({
    files: Object.keys(files).map((name) => ({ path: path(name), mtime: 0 })),
    read: async (name) => new TextEncoder().encode(files[name]),
    asTheyAre: false,
  });
  return { found: findings.map(({ path: name, level }) => `${name} ${level}`), names: entries.map(({ path: name }) => name) };
}

test("a file that Windows may take for another one beside it is held back, and no other is", async () => {
  const { found, names } = await looked({
    "package.json": "{}",
    "packag~1.jso": "x",
    "a/docker-compose.prod.yml": "x",
    "a/DO1A2B~1.YML": "x",
    "b/draft.txt": "x",
    "b/draft~1.txt": "x",
    "b/packag~1.jso": "x",
    "c/package-lock.json": "{}",
    "c/notes~2.jso": "x",
  });
  expect(found).toEqual(["a/DO1A2B~1.YML held", "packag~1.jso held"]);
  expect(names).toContain("packag~1.jso~held-back");
  expect(names).toContain("b/draft~1.txt");
});

test("a name that a command takes for an option is listed", async () => {
  const { found, names } = await looked({ "--checkpoint-action=exec=sh x": "", "a/-rf": "", "a-b": "" });
  expect(found).toEqual(["--checkpoint-action=exec=sh x listed", "a/-rf listed"]);
  expect(names).toContain("--checkpoint-action=exec=sh x");
});

test("a module that Windows may run in place of a program is listed", async () => {
  const { found, names } = await looked({ "src/node.js": "", "npm.js": "", "git.js": "" });
  expect(found).toEqual(["git.js held", "npm.js listed", "src/node.js listed"]);
  expect(names).toContain("npm.js");
});

test("what a command runs, or a program that asks first, is listed", async () => {
  const names = [
    "project/x.sbt",
    "deps.edn",
    "dune",
    "obj/x.props",
    "phpcs.xml.dist",
    "dprint.jsonc",
    "Podfile",
    "x.XLSM",
    "x.iso",
    "Setup.hs",
  ];
  const { found } = await looked(Object.fromEntries(names.map((name) => [name, ""])));
  expect(found.toSorted()).toEqual(names.map((name) => `${name} listed`).toSorted());
});

const script = (name: string) => JSON.stringify({ scripts: { [name]: "x" } });

test.each([
  ["prepublish, which npm and Yarn run, too", { "package.json": script("prepublish") }],
  ["what pnpm runs before anything else", { "package.json": script("pnpm:devPreinstall") }],
  ["pnpm's other forms of the file", { "package.yaml": "scripts: {}", "package.json5": "{}" }],
  ["a folder whose name only ends so", { "my_node_modules/x/package.json": script("postinstall") }],
  ["a name that some file systems fold", { "PACKAGE.JSON": script("install"), "a/package.j\u017fon": script("install") }],
  ["a stream", { "package.json::$DATA": script("install") }],
  ["comments, which Bun reads", { "package.json": '{\n// a\n"scripts":{"postinstall":"x",},}' }],
  ["two sections, of which Bun reads the first", { "package.json": '{"scripts":{"p\\u006fstinstall":"x"},"scripts":{}}' }],
])("scripts that run when packages are installed are listed: %s", async (_what, files) => {
  const { found } = await looked(files);
  expect(found).toEqual(
    Object.keys(files)
      .map((name) => `${name} listed`)
      .toSorted(),
  );
});

test("scripts of installed packages are listed where a package is asked for by its place there", async () => {
  const installed = { "node_modules/x/package.json": script("postinstall"), "a/node_modules/y/package.json": script("test") };
  const withFile = async (name: string, text: unknown) => (await looked({ ...installed, [name]: JSON.stringify(text) })).found;
  expect(await withFile("package.json", { dependencies: { x: "^1.0.0" }, scripts: { test: "node node_modules/x/a.js" } })).toEqual([]);
  expect(await withFile("package-lock.json", { packages: { "node_modules/x": { resolved: "https://registry.npmjs.org/x.tgz" } } })).toEqual(
    [],
  );
  const listed = ["node_modules/x/package.json listed"];
  expect(await withFile("package.json", { dependencies: { x: "file:node_modules/x" } })).toEqual(listed);
  expect(await withFile("lib/package.json", { workspaces: ["../node_modules/*"] })).toEqual(listed);
  expect(await withFile("package-lock.json", { packages: { "node_modules/y": { resolved: "node_modules/x", link: true } } })).toEqual(
    listed,
  );
  // Windows and macOS ignore case.
  expect(await withFile("package.json", { dependencies: { x: "file:./lib/../NODE_MODULES/x" } })).toEqual(listed);
  for (const [name, text] of [
    ["pnpm-lock.yaml", "packages:\n  x@file:node_modules/x:\n    resolution: {directory: node_modules/x, type: directory}\n"],
    ["yarn.lock", '"x@file:./node_modules/x":\n  version "1.0.0"\n'],
    ["bun.lock", '{ "packages": { "x": ["x@file:node_modules/x", {}] } }'],
  ] as const)
    expect([name, (await looked({ ...installed, [name]: text })).found]).toEqual([name, listed]);
  expect((await looked({ ...installed, "yarn.lock": "x@^1.0.0:\n  resolved https://registry.yarnpkg.com/x.tgz\n" })).found).toEqual([]);
});

const plainEntry = { mode: 0o100644, oid: "1".repeat(40), size: 1, mtime: 0 };

test("entries of an index that lead into a repository, through a link or elsewhere stay out", () => {
  const bad = [".git/hooks/post-checkout", "a/.GIT/config", "git~1/config", "b/../x", "link/x", "a\\b", ".g\u200cit/config"];
  const files = new Map([...bad, "a.txt"].map((name) => [name, plainEntry] as const));
  files.set("link", { ...plainEntry, mode: 0o120000 });
  const conflicts = new Map([[".git/config", { base: plainEntry, ours: plainEntry, theirs: null }]]);
  const index = rebuildIndex(formatIndex({ files, conflicts }), () => false);
  expect([...parseIndex(index?.bytes ?? new Uint8Array()).files.keys()]).toEqual(["a.txt", "link"]);
  expect(parseIndex(index?.bytes ?? new Uint8Array()).conflicts.size).toBe(0);
  expect([index?.links, index?.unsafe]).toEqual([true, true]);
});

test.skipIf(!hasGit)("git does not put a file that runs by itself into the working tree again", async () => {
  const own = m.lay({ "a.txt": "1", ".envrc": "x", ".vscode/tasks.json": "x", ".VIMRC": "x" });
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "One"],
  ])
    m.git(own, ...args);
  const made = m.filesOf(own);
  // Files that only the index has: the agent has deleted them.
  const files = Object.fromEntries(Object.entries(made).filter(([name]) => name !== ".vscode/tasks.json" && name !== ".VIMRC"));
  // The second zip has Vibey's own history.
  for (const [zip, safe] of [
    [await zipped(files), [".envrc~held-back", "a.txt"]],
    [await zipped({ "a.txt": "1", ".envrc": "x", "b/.envrc": "x" }), [".envrc~held-back", "a.txt", "b/.envrc~held-back"]],
  ] as const) {
    const folder = m.unzip(zip);
    const there = () =>
      Object.keys(m.filesOf(folder))
        .filter((name) => !/^(?:\.git|\.git~held-back|history\.git|vibey)\//.test(name))
        .toSorted();
    expect(there()).toEqual(safe);
    for (const args of [
      ["checkout", "."],
      ["checkout", "HEAD", "--", "."],
      ["restore", "."],
      ["checkout", "-f"],
      ["reset", "--hard"],
      ["stash"],
    ]) {
      // Gives git a file to restore.
      rmSync(`${folder}/a.txt`);
      m.git(folder, ...args);
      expect([args, there()]).toEqual([args, safe]);
    }
    expect(m.git(folder, "status", "--porcelain", "-uno").out).toBe("");
  }
  // With all files there, git would restore this one, so the test would notice.
  const plain = m.lay(files);
  m.git(plain, "checkout", ".");
  expect(Object.keys(m.filesOf(plain))).toContain(".vscode/tasks.json");
});

/** A repository whose first commit contains a file that runs by itself. */
function committedOnce(prefix: string): Files {
  const own = m.lay({ "a.txt": "1", ".envrc": "x" });
  m.git(own, "init", "-q", "-b", "main");
  for (const text of ["One", "Two"]) {
    m.git(own, "add", "-A");
    m.git(own, "commit", "-qm", text);
    rmSync(`${own}/.envrc`, { force: true });
  }
  m.git(own, "gc", "-q");
  return Object.fromEntries(Object.entries(m.filesOf(own)).map(([name, data]) => [prefix + name, data]));
}

/** The files in a folder outside its repositories. */
const besides = (folder: string) =>
  Object.keys(m.filesOf(folder))
    .filter((name) => !/(?:^|\/)(?:\.git|\.git~held-back|history\.git|vibey)\//.test(name))
    .toSorted();

/** Files of an earlier version that are gone now. */
const earlier: Files = {
  ".envrc": "x",
  ".VSCode/tasks.json": "x",
  "site/.Claude/settings.json": "x",
  "gradle/wrapper/x.properties": "x",
  "VSCODE~1/tasks.json": "x",
  "x.Desktop": "x",
  "odd\u200b.lnk": "x",
  "a\nb/.env\u200crc": "x",
};

/** Commands with which a user looks at an earlier version, or restores something. */
const looks: readonly (readonly string[])[] = [
  ["status"],
  ["checkout", "."],
  ["restore", "."],
  ["checkout", "HEAD~1", "-q"],
  ["checkout", "-q", "-"],
  ["reset", "-q", "--hard", "HEAD~1"],
  ["reset", "-q", "--hard", "HEAD@{1}"],
  ["switch", "-q", "--detach", "HEAD~1"],
  ["switch", "-q", "-"],
  ["stash"],
  ["stash", "pop"],
  ["checkout", "-q", "-b", "mine", "HEAD~1"],
  ["clean", "-fdx"],
  ["restore", "--source", "HEAD", "--staged", "--worktree", "."],
  ["merge", "-q", "-"],
  ["revert", "--no-edit", "HEAD"],
  ["bisect", "start", "HEAD", "HEAD~1"],
  ["bisect", "reset"],
  ["read-tree", "-mu", "HEAD~1"],
  ["reset", "-q", "--hard"],
  ["cherry-pick", "HEAD~1"],
  ["rebase", "-q", "HEAD~1"],
  ["gc", "-q"],
];

test.skipIf(!hasGit)("git does not put a file that an earlier version has, and that runs by itself, into the folder", async () => {
  const own = m.lay({ "a.txt": "1", ...earlier });
  const commit = (text: string) => {
    m.git(own, "add", "-A");
    m.git(own, "commit", "-qm", text);
  };
  m.git(own, "init", "-q", "-b", "main");
  commit("One");
  for (const name of Object.keys(earlier)) rmSync(`${own}/${name}`);
  commit("Two");
  rmSync(`${own}/a.txt`);
  commit("Three");
  const made = m.filesOf(own);
  m.git(own, "gc", "-q");
  // An agent's repository with loose objects, one with a pack, and Vibey's own history.
  const p = await zipProject();
  await fill(p.store, { "a.txt": "1", ...earlier });
  await exported(p);
  for (const name of Object.keys(earlier)) await p.ask("DELETE", `/deed/${encodeURIComponent(name).replaceAll("%2F", "/")}`);
  await exported(p);
  await fill(p.store, { "a.txt": "2" });
  const zips = [await zipped(made), await zipped(m.filesOf(own)), await exported(p)];
  for (const [at, zip] of zips.entries()) {
    const folder = m.unzip(zip);
    expect(m.git(folder, "log", "--format=%s", "--", ".envrc").out.split("\n").filter(Boolean)).toHaveLength(2);
    for (const args of looks) {
      m.git(folder, ...args);
      expect([at, args, besides(folder).filter((name) => name !== "a.txt")]).toEqual([at, args, []]);
    }
    // The files come back at the user's command, and a zip "as it is" contains them.
    m.git(
      folder,
      "reset",
      "-q",
      "--hard",
      m.git(folder, "log", "--all", "--diff-filter=A", "--format=%H", "-1", "--", ".envrc").out.trim(),
    );
    expect([at, besides(folder)]).toEqual([at, ["a.txt"]]);
    m.git(folder, "sparse-checkout", "disable");
    expect([at, besides(folder)]).toEqual([at, ["a.txt", ...Object.keys(earlier)].toSorted()]);
  }
  const asTheyAre = m.unzip(await zipped(made, "&form=as-it-is"));
  m.git(asTheyAre, "checkout", "-q", "HEAD~2");
  expect(besides(asTheyAre)).toContain(".envrc");
});

test.skipIf(!hasGit)("git puts no link there that leads a program to files of another name", async () => {
  const own = m.lay({ "a.txt": "1", "assets/tasks.json": "x" });
  m.git(own, "init", "-q", "-b", "main");
  m.git(own, "add", "-A");
  m.git(own, "commit", "-qm", "One");
  m.git(own, "checkout", "-qb", "other");
  symlinkSync("assets", `${own}/.vscode`);
  m.git(own, "add", "-A");
  m.git(own, "commit", "-qm", "Two");
  m.git(own, "checkout", "-q", "main");
  const loose = m.filesOf(own);
  m.git(own, "gc", "-q");
  for (const files of [loose, m.filesOf(own)]) {
    const folder = m.unzip(await zipped(files));
    expect(m.git(folder, "checkout", "-q", "other").code).toBe(0);
    expect(existsSync(`${folder}/.vscode/tasks.json`)).toBe(false);
    expect(m.git(folder, "status", "--porcelain", "-uno").out).toBe("");
  }
});

test.skipIf(!hasGit)("a folder in a commit is one in whatever way its mode is written", async () => {
  const own = m.lay({ "a.txt": "1" });
  m.git(own, "init", "-q", "-b", "main");
  m.git(own, "add", "-A");
  m.git(own, "commit", "-qm", "One");
  const blob = m.git(own, "rev-parse", "HEAD:a.txt").out.trim();
  const stored = (type: string, entries: readonly (readonly [mode: string, name: string, oid: string])[]) => {
    const bytes = Buffer.concat(
      entries.map(([mode, name, oid]) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, "hex")])),
    );
    writeFileSync(`${own}/.git/tree`, bytes);
    return m.git(own, "hash-object", "-w", "--literally", "-t", type, ".git/tree").out.trim();
  };
  const below = stored("tree", [["100644", ".envrc", blob]]);
  for (const mode of ["40755", "040000", "1000000000040000"]) {
    const commit = m.git(own, "commit-tree", "-p", "main", "-m", "Two", stored("tree", [[mode, "d", below]])).out.trim();
    m.git(own, "update-ref", "refs/heads/other", commit);
    const plain = m.lay(m.filesOf(own));
    m.git(plain, "checkout", "-q", "other");
    const folder = m.unzip(await zipped(m.filesOf(own)));
    m.git(folder, "checkout", "-q", "other");
    expect([mode, existsSync(`${folder}/d/.envrc`)]).toEqual([mode, false]);
    if (mode === "40755") expect(existsSync(`${plain}/d/.envrc`)).toBe(true);
  }
});

test.skipIf(!hasGit)("git puts no file there that runs by itself because of the folder that the repository is in", async () => {
  const all: Record<string, string | Uint8Array> = {};
  for (const [folder, name] of [
    [".vscode", "tasks.json"],
    [".GitHub", "Hooks/a.json"],
    ["a/gradle/wrapper", "b/c.properties"],
  ] as const) {
    const own = m.lay({ "a.txt": "1", [name]: "1" });
    m.git(own, "init", "-q", "-b", "main");
    m.git(own, "add", "-A");
    m.git(own, "commit", "-qm", "One");
    m.git(own, "rm", "-qr", ".");
    m.git(own, "commit", "-qm", "Two");
    m.git(own, "gc", "-q");
    m.git(own, "branch", "other");
    for (const [file, data] of Object.entries(m.filesOf(own))) all[`${folder}/${file}`] = data;
  }
  const [safe, plain] = [m.unzip(await zipped(all)), m.lay(all)];
  for (const folder of [".vscode", ".GitHub", "a/gradle/wrapper"])
    for (const top of [safe, plain]) expect(m.git(`${top}/${folder}`, "checkout", "-q", "HEAD~1").code).toBe(0);
  const found = (top: string) => besides(top).filter((name) => !name.endsWith("a.txt"));
  expect(found(plain)).toHaveLength(3);
  expect(found(safe)).toEqual([]);
});

/** A repository with one commit on `main`, in which `work` then runs. */
function newRepository(work: (own: string, git: (...args: string[]) => void) => void): Files {
  const own = m.lay({ "a.txt": "one\n" });
  const git = (...args: string[]) => void m.git(own, ...args);
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "One");
  work(own, git);
  rmSync(`${own}/.git/hooks`, { recursive: true, force: true });
  return m.filesOf(own);
}

function put(own: string, names: readonly string[], text = "x"): void {
  for (const name of names) {
    mkdirSync(dirname(join(own, name)), { recursive: true });
    writeFileSync(join(own, name), text);
  }
}

/** Everything is in one pack; a branch `other` has these files. */
const packed = (names: readonly string[]): Files =>
  newRepository((own, git) => {
    git("checkout", "-qb", "other");
    put(own, names);
    git("add", "-A");
    git("commit", "-qm", "Other");
    git("checkout", "-q", "main");
    git("gc", "-q", "--prune=now");
  });

test.skipIf(!hasGit)(
  "no name in a pack is checked out that some file system folds into one that runs by itself, and no other stays out",
  async () => {
    const odd = [
      ".v\u017fcode/tasks.json",
      ".hu\u017fky/pre-commit",
      ".hus\u212ay/pre-commit",
      ".mi\u017fe.toml",
      ".vs\u200ccode/tasks.json",
      "a/\u200d.envrc",
      "b/.envrc\u00ad",
      "c/.en\u{e0001}vrc",
      "d/.dir-locals-2\u2060.el",
      "x.ln\u{1d173}k",
      ".\u0131dea/workspace.xml",
      ".\u0131\u200bdea/workspace.xml",
      "mise/con\ufb01g.toml",
      "nuget.con\ufb01\u200cg",
      "confte\ufb06.py",
      ".cla\u00dfpath",
      "e/.cla\u1e9epath",
      "f/.envrc.",
      "g/.vscode. /tasks.json",
      "h/.envrc::$DATA",
    ];
    const others = [
      "\u2764\ufe0f.md",
      "1\ufe0f\u20e3 a.md",
      "\u{1f469}\u200d\u{1f4bb}/a.md",
      "\u0645\u06cc\u200c\u062e.md",
      "Stra\u00dfe.md",
      "k\u0131sa.md",
      "Scienti\ufb01c.md",
      "L\u2019\u00e9t\u00e9.md",
      "a: b.md",
      "x.ideas/a.md",
    ];
    for (const name of odd) expect([name, whatRuns(name)?.level]).toEqual([name, "held"]);
    const folder = m.unzip(await zipped(packed([...odd, ...others])));
    m.git(folder, "checkout", "-q", "other");
    expect(besides(folder)).toEqual(["a.txt", ...others].toSorted());
  },
);

/** Spellings that some file system folds into ASCII, and invisible characters. */
const spelled: readonly (readonly [text: string, one: string])[] = [
  ["s", "\u017f"],
  ["k", "\u212a"],
  ["i", "\u0131"],
  ["ss", "\u00df"],
  ["fi", "\ufb01"],
  ["fl", "\ufb02"],
  ["st", "\ufb06"],
];
const unseen = Array.from(
  "\u00ad\u034f\u061c\u115f\u17b5\u180b\u200b\u202e\u2065\u3164\ufe0f\ufeff\uffa0\ufff0\u{1bca3}\u{1d17a}\u{e0000}\u{e0fff}",
);

/** A path of the table in another spelling. */
const otherSpelling = fc
  .tuple(
    fc.constantFrom(...runsItself.flatMap(({ listed, names }) => (listed ? [] : names))),
    fc.constantFrom("", "x", "\u00e9", "\u2764\ufe0f"),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...spelled, ...unseen)), { minLength: 1, maxLength: 6 }),
  )
  .map(([name, any, changes]) => {
    let text = name.replace("/**", "/x").replaceAll("*", any);
    for (const [nth, change] of changes) {
      const place = nth % (text.length + 1);
      const at = typeof change === "string" ? place : text.indexOf(change[0], place);
      const isBetween = !/[\ud800-\udbff]$/.test(text.slice(0, at));
      if (at >= 0 && isBetween)
        text = text.slice(0, at) + (typeof change === "string" ? change + text.slice(at) : change[1] + text.slice(at + change[0].length));
    }
    return text;
  })
  .filter((name) => whatRuns(name)?.level === "held");

test.skipIf(!hasGit)(
  "law: where not all commits were looked at, git keeps out whatever some file system may fold into a name of the table",
  () => {
    const patterns = sparsePatterns({ shortNames: false, odd: [], isWhole: false, folder: "" }).split("\n");
    const own = m.lay({ "a.txt": "1" });
    m.git(own, "init", "-q");
    // The same patterns, evaluated by the same code in git.
    writeFileSync(`${own}/.git/info/exclude`, patterns.flatMap((one) => (one.startsWith("!") ? [one.slice(1)] : [])).join("\n"));
    const names = fc.sample(otherSpelling, { numRuns: 5_000, seed: 1 });
    const input = names.join("\0");
    const { stdout } = spawnSync("git", ["check-ignore", "--no-index", "-z", "--stdin"], {
      cwd: own,
      input,
      encoding: "utf8",
      maxBuffer: 1e8,
    });
    const out = new Set(stdout.split("\0"));
    expect(names.filter((name) => !out.has(name))).toEqual([]);
  },
);

test.skipIf(!hasGit).each([
  [".idea/runConfigurations/", "x.xml"],
  [".husky/_/", "husky.sh"],
  [".github/hooks/sub/", "x.json"],
  ["a/.vim/plugin/", "x.vim"],
])("of a repository in %s, anywhere below a folder whose files run by themselves, git puts no file there", async (top, name) => {
  expect(whatRuns(top + name)?.level).toBe("held");
  const files = Object.fromEntries(Object.entries(packed([name])).map(([file, data]) => [top + file, data]));
  const folder = m.unzip(await zipped(files));
  m.git(join(folder, top), "checkout", "other");
  expect(existsSync(join(folder, top, name))).toBe(false);
});

const ends = ["merge --abort", "reset --hard", "reset --merge", "checkout -f other", "checkout --theirs .", "restore --ours .", "stash"];

test.skipIf(!hasGit).each(ends)("a merge that was left with a conflict puts no file there that runs by itself: git %s", async (command) => {
  const files = newRepository((own, git) => {
    git("checkout", "-qb", "other");
    put(own, [".envrc", ".exrc"], "theirs");
    git("add", "-A");
    git("commit", "-qm", "Other");
    git("checkout", "-q", "main");
    put(own, [".envrc"], "ours");
    git("add", "-A");
    git("commit", "-qm", "Ours");
    git("merge", "other");
  });
  expect(parseIndex(files[".git/index"] as Uint8Array).conflicts.size).toBe(1);
  const folder = m.unzip(await zipped(files));
  m.git(folder, ...command.split(" "));
  expect(besides(folder)).toEqual([".envrc~held-back", ".exrc~held-back", "a.txt"]);
});

test("a conflict about a link is a link, and one about a file that is absent is settled by our side", () => {
  const link = { ...plainEntry, mode: 0o120000 };
  const conflicts = new Map([
    ["a", { base: plainEntry, ours: plainEntry, theirs: link }],
    ["b", { base: null, ours: plainEntry, theirs: link }],
    ["c", { base: plainEntry, ours: null, theirs: plainEntry }],
  ]);
  const bytes = formatIndex({ files: new Map(), conflicts });
  const left = (absent: readonly string[]) => {
    const index = rebuildIndex(bytes, (name) => absent.includes(name));
    const { files, conflicts: open } = parseIndex(index?.bytes ?? new Uint8Array());
    return { files: [...files.keys()], open: [...open.keys()], links: index?.links, unsafe: index?.unsafe };
  };
  expect(left([])).toEqual({ files: [], open: ["a", "b", "c"], links: true, unsafe: false });
  expect(left(["a", "b", "c"])).toEqual({ files: ["a", "b"], open: [], links: false, unsafe: false });
});

/** What the stash contains, by how it got there. `.envrc` is in the first commit. */
const putAside: readonly (readonly [what: string, (own: string, git: (...args: string[]) => void) => void])[] = [
  [
    "an untracked file",
    (own, git) => {
      put(own, [".exrc"]);
      git("stash", "-u", "-q");
    },
  ],
  [
    "a new file",
    (own, git) => {
      put(own, [".exrc"]);
      git("add", ".exrc");
      git("stash", "-q");
    },
  ],
  [
    "a changed file",
    (own, git) => {
      put(own, [".envrc"], "changed");
      git("stash", "-q");
    },
  ],
  [
    "one that is not the last",
    (own, git) => {
      put(own, [".exrc"]);
      git("stash", "-u", "-q");
      put(own, ["a.txt"], "changed");
      git("stash", "-q");
    },
  ],
];

/** The agent deletes `.envrc` after everything is stashed. */
const withStash = (work: (own: string, git: (...args: string[]) => void) => void): Files =>
  newRepository((own, git) => {
    put(own, [".envrc"]);
    git("add", "-A");
    git("commit", "-qm", "With");
    work(own, git);
    git("rm", "-q", ".envrc");
    git("commit", "-qm", "Without");
  });

test.skipIf(!hasGit).each(putAside)("git stash puts no file there that runs by itself: %s", async (_what, work) => {
  const loose = withStash(work);
  const own = m.lay(loose);
  m.git(own, "gc", "-q");
  const all = ["pop", "apply", "apply --index", "branch x", "pop stash@{0}", "pop stash@{1}"];
  let written = 0;
  for (const files of [loose, m.filesOf(own)]) {
    const zip = await zipped(files);
    expect(Object.keys((await JSZip.loadAsync(zip)).files)).toContain(".git~held-back/logs/refs/stash~held-back");
    for (const command of all) {
      const plain = m.lay(files);
      m.git(plain, "stash", ...command.split(" "));
      if (besides(plain).some((name) => name !== "a.txt")) written += 1;
      const folder = m.unzip(zip);
      expect(m.git(folder, "stash", "list").out).toBe("");
      m.git(folder, "stash", ...command.split(" "));
      expect([command, besides(folder)]).toEqual([command, ["a.txt"]]);
    }
  }
  expect(written).toBeGreaterThan(0);
});

test.skipIf(!hasGit)(
  "a stash without such a file leaves, and one that can't be looked at leaves when the human wants all as it is",
  async () => {
    const loose = withStash((own, git) => {
      put(own, ["a.txt"], "changed");
      put(own, ["b.txt"]);
      git("stash", "-u", "-q");
    });
    const own = m.lay(loose);
    m.git(own, "gc", "-q");
    const list = async (files: Files, form = "") => m.git(m.unzip(await zipped(files, form)), "stash", "list").out.split("\n").length - 1;
    expect([await list(loose), await list(m.filesOf(own)), await list(m.filesOf(own), "&form=as-it-is")]).toEqual([1, 0, 1]);
    const folder = m.unzip(await zipped(loose));
    m.git(folder, "stash", "pop");
    expect(besides(folder)).toEqual(["a.txt", "b.txt"]);
    expect(readFileSync(`${folder}/a.txt`, "utf8")).toBe("changed");
    const p = await zipProject();
    await fill(p.store, m.filesOf(own));
    await taken(p, await exported(p, "all"), "?into=new");
    expect(contents(p.made[0]?.store ?? { ...p.store, names: new Map() })).toEqual(contents(p.store));
  },
);

test.skipIf(!hasGit)("no object stands for another one", async () => {
  const own = m.lay({ "a.txt": "1", "d/a.txt": "1" });
  m.git(own, "init", "-q", "-b", "main");
  m.git(own, "add", "a.txt");
  m.git(own, "commit", "-qm", "One");
  m.git(own, "checkout", "-qb", "other");
  m.git(own, "add", "-A");
  m.git(own, "commit", "-qm", "Two");
  const folder = m.git(own, "rev-parse", "HEAD:d").out.trim();
  m.git(own, "checkout", "-q", "main");
  writeFileSync(`${own}/list`, `100644 blob ${m.git(own, "rev-parse", "HEAD:a.txt").out.trim()}\t.envrc\n`);
  const other = spawnSync("git", ["mktree"], { cwd: own, input: readFileSync(`${own}/list`), encoding: "utf8" }).stdout.trim();
  m.git(own, "update-ref", `refs/replace/${folder}`, other);
  const loose = m.filesOf(own);
  m.git(own, "pack-refs", "--all");
  m.git(own, "branch", "third");
  for (const files of [loose, m.filesOf(own)]) {
    const plain = m.lay(files);
    m.git(plain, "checkout", "-q", "other");
    expect(existsSync(`${plain}/d/.envrc`)).toBe(true);
    const safe = m.unzip(await zipped(files));
    expect(m.git(safe, "checkout", "-q", "other").code).toBe(0);
    expect([existsSync(`${safe}/d/.envrc`), m.git(safe, "replace").out]).toEqual([false, ""]);
  }
});

test("a repository whose objects can't all be looked at keeps out what may be in them; one that is looked at and has none leaves as it is", async () => {
  const sparse = async (files: Files) => (await JSZip.loadAsync(await zipped(files))).file(".git/info/sparse-checkout") !== null;
  const plain = { ".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n" };
  const object = (text: string) => new Uint8Array(deflateSync(text));
  const at = (nth: number) => `.git/objects/ab/${String(nth).padStart(38, "0")}`;
  const blob = object("blob 1\0x");
  const tree = (name: string) => object(`tree ${28 + name.length}\x00100644 ${name}\0${"a".repeat(20)}`);
  const commit = object(`commit 46\0tree ab${"0".repeat(37)}1\n`);
  expect(await sparse({ ...plain, [at(1)]: blob })).toBe(false);
  expect(await sparse({ ...plain, [at(1)]: tree("a.txt"), [at(2)]: commit })).toBe(false);
  expect(await sparse({ ...plain, [at(1)]: tree(".envrc"), [at(2)]: commit })).toBe(true);
  expect(await sparse({ ...plain, [at(2)]: commit })).toBe(true);
  for (const odd of [new Uint8Array([1, 2, 3]), object(`tree 9000000\0${"x".repeat(9_000_000)}`)])
    expect(await sparse({ ...plain, [at(1)]: odd })).toBe(true);
  expect(await sparse({ ...plain, [`.git/objects/pack/pack-${"1".repeat(40)}.pack`]: "x" })).toBe(true);
  // A folder that contains itself ends the search.
  const forged = Uint8Array.from([...Buffer.from("40000 a\0"), ...Buffer.from(`ab${"0".repeat(37)}1`, "hex")]);
  const inItself = new Uint8Array(deflateSync(Buffer.concat([Buffer.from(`tree ${forged.length}\0`), forged])));
  expect(await sparse({ ...plain, [at(1)]: inItself, [at(2)]: commit })).toBe(true);
});

test("a repository's file that is not as git writes it takes no longer than another one", async () => {
  const many = 200_000;
  const header = Uint8Array.from([...new TextEncoder().encode("DIRC"), 0, 0, 0, 2, 255, 255, 255, 255]);
  const index = new Uint8Array(header.length + 200).fill(97);
  index.set(header);
  expect(rebuildIndex(index, () => false)).toBe(null);
  const needs = { bare: false, links: false, sparse: false };
  expect(rebuildConfig(`[user]\n\tname = a${" ".repeat(many)}b\u2028\n`, needs)?.dropped).toEqual(["user.name"]);
  expect(rebuildConfig(`[user]${" ".repeat(many)}!\u2028\n\tname${" ".repeat(many)}!\n`, needs)?.dropped).toEqual([]);
  expect(rebuildConfig("[core]\n\tbare = true\n".repeat(many), needs)?.text.startsWith("[core]\n\tbare = false\n")).toBe(true);
  const zero = "0".repeat(40);
  const log = `${zero} ${zero} A${" 1 +0000\t".repeat(many)}\0\n`;
  const zip = await JSZip.loadAsync(await zipped({ ".git/HEAD": "ref: refs/heads/main\n", ".git/logs/HEAD": log }));
  expect(await zip.file(".git/logs/HEAD")?.async("text")).toBe("");
});

test("a ref whose name a script could take for an option or a prompt for a command does not leave", async () => {
  const oid = "1".repeat(40);
  const names = ["refs/heads/$(x)", "refs/heads/`x`", "refs/heads/-x", "refs/tags/a/--x"];
  const files = {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/packed-refs": `${oid} refs/heads/main\n${names.map((name) => `${oid} ${name}\n^${oid}\n`).join("")}${oid} refs/tags/v1\n^${oid}\n`,
    ...Object.fromEntries(names.map((name) => [`.git/${name}`, `${oid}\n`])),
    ".git/logs/refs/heads/x/hooks/pre-commit": `${oid} ${oid} A <a> 1 +0000\t; x\n`,
  };
  const zip = await JSZip.loadAsync(await zipped(files));
  for (const name of Object.keys(files).slice(2)) expect([name, zip.file(name)]).toEqual([name, null]);
  expect(await zip.file(".git/packed-refs")?.async("text")).toBe(`${oid} refs/heads/main\n${oid} refs/tags/v1\n^${oid}\n`);
  for (const name of names.slice(0, 3)) {
    const other = await JSZip.loadAsync(await zipped({ ".git/HEAD": `ref: ${name}\n` }));
    expect([name, other.file(".git/HEAD")]).toEqual([name, null]);
  }
});

test("a zip has no links and no file that is a program", async () => {
  const zip = await zipped({ "run.sh": "#!/bin/sh\n", l: "/etc/passwd", ...poisoned(m, "", [fsmonitor], true) });
  // A file that its owner can write and everyone can read: 0o100644.
  for (const entry of Object.values((await JSZip.loadAsync(zip)).files)) expect(Number(entry.unixPermissions).toString(8)).toBe("100644");
});

test("an import gives what was held back its name and its bytes", async () => {
  const files: Files = {
    ...poisoned(m, "site/", settings, true),
    ...bareRepository("lib/", "[core]\n\tfsmonitor = x\n"),
    ...Object.fromEntries(spellings.map((name) => [`s/${name}/config`, `of ${name}`])),
    ...Object.fromEntries(selfRunning.map((name) => [name, `of ${name}`])),
    "x~held-back": "1",
    "x~held-back~held-back": "2",
    "d~held-back/.envrc": "3",
    "d/.envrc~held-back": "4",
    "d/.envrc": "5",
    ".gitmodules": "[submodule]\n",
    // A repository whose files git is told to leave out of checkouts, and one that has its own sparse-checkout settings.
    ...committedOnce("c/"),
    "site/.git/info/sparse-checkout": "/x\n",
    ...Object.fromEntries([...shortNames, ...oddNames].map((name) => [name, `of ${name}`])),
  };
  for (const form of ["", "&form=as-it-is"]) {
    const p = await zipProject();
    await fill(p.store, files);
    await taken(p, await exported(p, `all${form}`), "?into=new");
    const [made] = p.made;
    expect(contents(made?.store ?? p.store)).toEqual(contents(p.store));
    expect(made).toBeDefined();
  }
});

test("the configuration that leaves has only settings that are known to be harmless, with values that were checked", async () => {
  const good =
    '[remote "up"]\n\turl = https://example.com/a.git\n\tfetch = +refs/heads/*:refs/remotes/up/*\n[branch "main"]\n\tremote = up\n\tmerge = refs/heads/main\n';
  const bad = ["git@example.com:a", "http://example.com/a", "https://a:b@example.com/", "https://-x/", "file:///a"].map(
    (url) => `[remote "bad"]\n\turl = ${url}\n`,
  );
  const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n${settings
    .slice(0, -3)
    .filter((one) => !one.includes("extensions"))
    .join("\n")}\n${bad.join("")}${good}`;
  const names = await JSZip.loadAsync(await zipped({ ...m.repository(), ".git/config": config }));
  expect(await names.file(".git/config")?.async("text")).toBe(
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = https://127.0.0.1/x\n${good}`,
  );
});

test("no name and no address in the configuration that leaves begins a line or a setting of its own", () => {
  const needs = { bare: false, links: false, sparse: false };
  const plain = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";
  const written = (config: string) => rebuildConfig(config, needs);
  // These may end a line for git, for a terminal, or for a reader; `\n` in the file is a line end in the value.
  const odd = ["\\n", "\\t", "\u0000", "\u001b", "\u007f", "\u0085", "\u2028", "\u202e", "\u200b"];
  for (const character of odd) {
    for (const setting of ["name", "email"]) {
      const config = `${plain}[user]\n\t${setting} = "Ada${character}[core]${character}fsmonitor = x"\n`;
      expect([character, written(config)]).toEqual([character, { text: plain, dropped: [`user.${setting}`] }]);
    }
    const value = `"main${character}[core]${character}fsmonitor = x"`;
    for (const [section, setting, start] of [
      ["init", "defaultBranch", ""],
      ['remote "up"', "url", "https://example.com/"],
      ['branch "main"', "merge", "refs/heads/"],
    ] as const)
      expect(written(`${plain}[${section}]\n\t${setting} = "${start}${value.slice(1)}\n`)?.text).toBe(plain);
  }
  const named = '[user]\n\tname = "Ada # \\\\ \\" ; Lovelace"\n';
  expect(written(plain + named)?.text).toBe(plain + named);
  expect(written(`${plain}[user]\n\tname = ${"a".repeat(201)}\n`)?.dropped).toEqual(["user.name"]);
});

test("the zip of the second copy is made in the same way", async () => {
  const files = { ".envrc": "x", ".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n\tfsmonitor = x\n", "a.txt": "1" };
  const copied = Object.entries(files).map(([name, data], id) => ({
    id,
    path: path(name),
    mtime: 0,
    version: 1,
    size: data.length,
    stable: 0,
    parts: [],
  }));
  let closed = 0;
  const text = (name: string) => new TextEncoder().encode(files[name as keyof typeof files]);
  const answer = await copyZip(
    copied,
    (file) => text(file.path),
    () => void (closed += 1),
  );
  const zip = await JSZip.loadAsync(await answer.arrayBuffer());
  expect(
    Object.keys(zip.files)
      .filter((name) => !name.endsWith("/"))
      .toSorted(),
  ).toEqual([".envrc~held-back", ".git/HEAD", ".git/config", ".git~held-back/config~held-back", "a.txt"]);
  expect(await zip.file(".git/config")?.async("text")).toBe("[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
  expect(closed).toBe(1);
});
