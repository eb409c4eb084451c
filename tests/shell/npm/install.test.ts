import { expect, test } from "vitest";
import { packTar } from "../../../src/shell/embedded/commands/tar-format.ts";
import { npmMachine, type NpmMachine } from "./machine.ts";
import { member, pack, packagesOf, type StandIn, standIn } from "./stand-in.ts";

const small = `
  a 1.0.0 b@^1 c@2
  b 1.0.0 [bin]
  b 1.2.0 [bin]
  c 2.0.0 b@1.0.0 peer:d@1
  d 1.0.0
`;

function machine(text = small): NpmMachine & { readonly registry: StandIn } {
  const registry = standIn();
  registry.add(...packagesOf(text));
  const made = npmMachine(registry);
  made.put({ "package.json": { name: "p", version: "1.0.0" } });
  return { ...made, registry };
}

/** All files of the project with their contents. */
const content = (m: NpmMachine): Record<string, string> => Object.fromEntries(m.list().map((path) => [path, m.read(path)]));

test("ci gives what install gave, and the lock file stays as it is", async () => {
  const m = machine();
  expect((await m.run("npm install a")).exitCode).toBe(0);
  const first = content(m);
  expect((await m.run("npm install")).stdout).toMatch(/^\nup to date in /);
  expect(content(m)).toEqual(first);
  expect((await m.run("echo junk > node_modules/a/junk; npm ci")).stdout).toMatch(/^\nadded 5 packages in /);
  expect(content(m)).toEqual(first);
});

test("uninstall removes exactly", async () => {
  const m = machine();
  await m.run("npm install d");
  const before = content(m);
  await m.run("npm install a && npm uninstall a");
  expect(content(m)).toEqual(before);
  expect((await m.run("npm uninstall d")).stdout).toMatch(/removed 1 package in/);
  expect(m.list()).toEqual(["package-lock.json", "package.json"]);
});

test("what was fetched once is not fetched again", async () => {
  const m = machine();
  await m.run("npm install a");
  const asked = m.registry.asked.length;
  expect((await m.run("npm ci")).exitCode).toBe(0);
  expect(m.registry.asked).toHaveLength(asked);
});

test("package.json keeps its layout", async () => {
  const m = machine();
  m.put({ "package.json": '{\n\t"version": "1.0.0",\n\t"zeta": 1,\n\t"name": "p"\n}\n' });
  await m.run("npm install d");
  expect(m.read("package.json")).toBe(
    '{\n\t"version": "1.0.0",\n\t"zeta": 1,\n\t"name": "p",\n\t"dependencies": {\n\t\t"d": "^1.0.0"\n\t}\n}\n',
  );
});

test("another archive than the promised one is refused, and nothing is written", async () => {
  const m = machine();
  const before = content(m);
  m.registry.spoil("c", "2.0.0");
  const done = await m.run("npm install a");
  expect(done.exitCode).toBe(1);
  expect(done.stderr).toMatch(/^npm error code EINTEGRITY\nnpm error Verification failed while extracting c@2\.0\.0:\nnpm error sha512-/);
  expect(content(m)).toEqual(before);
});

test("a lock file's integrity holds against the registry", async () => {
  const m = machine();
  await m.run("npm install d");
  m.put({ "package-lock.json": m.read("package-lock.json").replace(/sha512-.{10}/, "sha512-AAAAAAAAAA") });
  const done = await m.run("npm ci");
  expect([done.exitCode, done.stderr.split("\n")[0]]).toEqual([1, "npm error code EINTEGRITY"]);
});

const link = { ...member("package/l", ""), kind: "link" as const, target: "/etc/passwd" };

test.each([
  ["a path that leads out", packTar([member("package/../../../evil", "x")]), "is no path inside the package"],
  ["an absolute path", packTar([member("/evil", "x")]), "is no path inside the package"],
  ["a backslash", packTar([member("package\\..\\evil", "x")]), "is no path inside the package"],
  [
    "a file where a folder is",
    packTar([member("package/package.json", "{}"), member("package/x", "1"), member("package/x/y", "2")]),
    "is both a file and a folder",
  ],
  ["no package.json", packTar([member("package/x", "1")]), "it has no package.json"],
  ["a cut off archive", packTar([member("package/package.json", "{}")]).slice(0, 700), "it is cut off"],
  ["no archive at all", new TextEncoder().encode("<html>not found</html>".repeat(60)), "it is no tar archive"],
  ["a cut off gzip file", pack({ "package.json": "{}" }).slice(0, 40), "it is no gzip file, or is cut off"],
])("%s is refused, and nothing is written", async (_name, archive, why) => {
  const m = machine();
  const before = content(m);
  m.registry.replaceArchive("d", "1.0.0", archive);
  const done = await m.run("npm install a");
  expect([done.exitCode, done.stderr]).toEqual([1, expect.stringContaining(why)]);
  expect(content(m)).toEqual(before);
});

test("a link in an archive is refused", async () => {
  const m = machine();
  const archive = packTar([member("package/package.json", "{}"), link]);
  // packTar writes only files and folders.
  archive[1024 + 156] = "2".charCodeAt(0);
  for (let i = 148; i < 156; i++) archive[1024 + i] = 32;
  const sum = archive.slice(1024, 1536).reduce((total, byte) => total + byte, 0);
  archive.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, "0")}\0 `), 1024 + 148);
  m.registry.replaceArchive("d", "1.0.0", archive);
  expect((await m.run("npm install d")).stderr).toContain('"package/l" is a link');
});

test.each([
  ["../../evil", "outside node_modules"],
  ["node_modules/../../evil", "outside node_modules"],
  ["packages/a", "is a workspace"],
])("a lock file that names %s is refused", async (location, why) => {
  const m = machine();
  m.put({ "package-lock.json": { lockfileVersion: 3, packages: { "": {}, [location]: { version: "1.0.0" } } } });
  const done = await m.run("npm ci");
  expect([done.exitCode, done.stderr]).toEqual([1, expect.stringContaining(why)]);
});

test("a package's bin can't name a file or a command outside", async () => {
  const m = machine("x 1.0.0");
  const manifest = { name: "x", version: "1.0.0", bin: { "../../../evil": "../../../../etc/passwd", ok: "./index.js" } };
  m.registry.add({ manifest, files: () => ({ "index.js": "" }) });
  await m.run("npm install x");
  expect(m.list().filter((path) => path.includes(".bin"))).toEqual(["node_modules/.bin/ok"]);
  expect(m.list().some((path) => path.endsWith("evil"))).toBe(false);
});

test("a registry that fails leaves everything as it was", async () => {
  const m = machine();
  const before = content(m);
  let asked = 0;
  m.network((request) => (++asked > 3 ? { kind: "failed", why: "the connection was lost" } : m.registry.answer(request)));
  const done = await m.run("npm install a");
  expect([done.exitCode, done.stderr]).toEqual([1, expect.stringContaining("failed, reason: the connection was lost")]);
  expect(content(m)).toEqual(before);
});

test("a human's no is told", async () => {
  const m = machine();
  m.network(() => ({ kind: "refused", why: "the human does not let this dialog reach registry.npmjs.org" }));
  const done = await m.run("npm install a");
  expect([done.exitCode, done.stderr]).toEqual([1, expect.stringContaining("the human does not let this dialog reach registry.npmjs.org")]);
});

test("it stops when it has to", async () => {
  const m = machine();
  m.stop();
  const done = await m.run("npm install a");
  expect([done.exitCode, done.stderr]).toEqual([1, "npm error stopped before everything was there; nothing was changed\n"]);
});

test("progress is shown", async () => {
  const m = machine();
  await m.run("npm install a");
  expect(m.progress.at(-1)).toBe("npm: 5 of 5 packages");
});

test.each([
  ["install scripts", "s 1.0.0 [scripts]", "npm warn install-scripts install scripts are not run here: s@1.0.0\n"],
  ["deprecated", "s 1.0.0 [deprecated=use t]", "npm warn deprecated s@1.0.0: use t\n"],
])("%s are told", async (_name, text, warning) => {
  const m = machine(text);
  const done = await m.run("npm install s");
  expect([done.exitCode, done.stderr]).toEqual([0, warning]);
});

test.each([
  ["binding.gyp", { "binding.gyp": "{}" }, "it is compiled at its installation (binding.gyp), and there is no compiler here"],
  ["prebuilds", { "prebuilds/linux-x64/x.bin": "" }, "it has native code (prebuilds), which can't be loaded here"],
  [".node files", { "build/x.node": "" }, "it has native code (.node files), which can't be loaded here"],
])("native code is told: %s", async (_name, files, why) => {
  const m = machine("x 1.0.0");
  m.registry.add({ manifest: { name: "x", version: "1.0.0" }, files: () => files });
  const done = await m.run("npm install x");
  expect([done.exitCode, done.stderr.split("\n")[0]]).toEqual([0, `npm warn native x@1.0.0 will not run here: ${why}`]);
});

test("a package whose programs are for processors is installed without them, and that is told", async () => {
  const m = machine("build 1.0.0 opt:@build/linux-x64@1 opt:@build/darwin-arm64@1");
  for (const [name, os, cpu] of [["@build/linux-x64", "linux", "x64"] as const, ["@build/darwin-arm64", "darwin", "arm64"] as const])
    m.registry.add({ manifest: { name, version: "1.0.0", os: [os], cpu: [cpu] }, files: () => ({ program: "\x7fELF" }) });
  const done = await m.run("npm install build");
  expect(m.tree()).toEqual(["build@1.0.0"]);
  expect(done.stderr).toBe(
    "npm warn native build@1.0.0 will not run here: its native part (@build/linux-x64 and 1 more) is not installed, because no program for a processor can run here\n",
  );
  expect(Object.keys(JSON.parse(m.read("package-lock.json")).packages)).toEqual([
    "",
    "node_modules/@build/darwin-arm64",
    "node_modules/@build/linux-x64",
    "node_modules/build",
  ]);
});

test("a package that is native has a sentence that names the version that is not", async () => {
  const m = machine();
  m.registry.add({
    manifest: { name: "@typescript/typescript-linux-x64", version: "7.0.0", os: ["linux"], cpu: ["x64"] },
    files: () => ({}),
  });
  m.registry.add({
    manifest: {
      name: "typescript",
      version: "7.0.0",
      bin: { tsc: "tsc.js" },
      optionalDependencies: { "@typescript/typescript-linux-x64": "7.0.0" },
    },
    files: () => ({ "tsc.js": "1" }),
  });
  expect((await m.run("npm install typescript@7")).stderr).toMatch(
    /^npm warn native typescript@7\.0\.0 .+; install typescript@5 instead\n$/,
  );
  expect(await m.run("npx tsc --noEmit")).toEqual({
    stdout: "",
    stderr: "tsc: typescript 7.0.0 is a native program, which can't be run here; npm install typescript@5\n",
    exitCode: 126,
  });
});

test("files of a native package are those of its WebAssembly, which package.json and the lock file don't name", async () => {
  const m = machine("esbuild 0.2.1 opt:@esbuild/linux-x64@0.2.1");
  m.registry.add(
    { manifest: { name: "@esbuild/linux-x64", version: "0.2.1", os: ["linux"], cpu: ["x64"] }, files: () => ({ program: "\x7fELF" }) },
    ...["0.1.9", "0.2.0", "0.2.2"].map((version) => ({
      manifest: { name: "esbuild-wasm", version },
      files: () => ({ "lib/main.js": `exports.version = "${version}";`, "esbuild.wasm": "\0asm" }),
    })),
  );
  const done = await m.run("npm install esbuild");
  expect([done.exitCode, done.stderr]).toEqual([
    0,
    "npm warn wasm esbuild@0.2.1: programs for a processor can't run here, so its files are those of esbuild-wasm@0.2.0, the nearest version there is\n",
  ]);
  expect(m.tree()).toEqual(["esbuild@0.2.1"]);
  expect([m.read("node_modules/esbuild/lib/main.js"), JSON.parse(m.read("node_modules/esbuild/package.json")).name]).toEqual([
    'exports.version = "0.2.0";',
    "esbuild",
  ]);
  expect(m.read("package-lock.json") + m.read("package.json")).not.toContain("wasm");
});

test("a native package whose WebAssembly can't be had is installed as it is, and that is told", async () => {
  const m = machine("esbuild 0.2.1 opt:@esbuild/linux-x64@0.2.1");
  m.registry.add(
    { manifest: { name: "@esbuild/linux-x64", version: "0.2.1", os: ["linux"], cpu: ["x64"] }, files: () => ({ program: "\x7fELF" }) },
    { manifest: { name: "esbuild-wasm", version: "0.3.0" }, files: () => ({ "esbuild.wasm": "\0asm" }) },
  );
  const done = await m.run("npm install esbuild");
  expect([done.exitCode, done.stderr.split("\n")]).toEqual([
    0,
    [
      "npm warn wasm esbuild@0.2.1: esbuild-wasm, which could run in its place here, can't be had: the registry has no version that is near enough",
      expect.stringContaining("npm warn native esbuild@0.2.1 will not run here"),
      "",
    ],
  ]);
});

test("vite that needs threads has a sentence that names the version that does not", async () => {
  const m = machine();
  const part = "@rolldown/binding-wasm32-wasi";
  const runtime = { "@napi-rs/wasm-runtime": "1" };
  m.registry.add(
    { manifest: { name: "@napi-rs/wasm-runtime", version: "1.0.0" }, files: () => ({}) },
    { manifest: { name: part, version: "1.2.0", cpu: ["wasm32"], dependencies: runtime }, files: () => ({ "x.wasm": "" }) },
    { manifest: { name: "@rolldown/binding-linux-x64-gnu", version: "1.2.0", cpu: ["x64"] }, files: () => ({}) },
    {
      manifest: {
        name: "rolldown",
        version: "1.2.0",
        optionalDependencies: { [part]: "1.2.0", "@rolldown/binding-linux-x64-gnu": "1.2.0" },
      },
      files: () => ({}),
    },
    {
      manifest: { name: "vite", version: "8.0.0", bin: { vite: "vite.js" }, dependencies: { rolldown: "1.2.0" } },
      files: () => ({ "vite.js": "#!/usr/bin/env node\n" }),
    },
    {
      manifest: { name: "vite", version: "7.0.0", bin: { vite: "vite.js" } },
      files: () => ({ "vite.js": "#!/usr/bin/env node\nconsole.log('vite 7');\n" }),
    },
    {
      manifest: { name: "vitest", version: "4.0.0", bin: { vitest: "vitest.js" }, dependencies: { vite: "^7.0.0 || ^8.0.0" } },
      files: () => ({ "vitest.js": "#!/usr/bin/env node\nconsole.log('vitest');\n" }),
    },
  );
  const threads = "needs WASI and threads that share memory, which are not here";
  const lines = (await m.run("npm install vite@8 vitest")).stderr.trim().split("\n");
  expect(lines.toSorted()).toEqual([
    `npm warn native rolldown@1.2.0 will not run here: its WebAssembly (${part}) ${threads}; install rollup instead`,
    `npm warn native vite@8.0.0 will not run here: it bundles with rolldown, which ${threads}; install vite@7 instead`,
  ]);
  expect(await m.run("npx vite build")).toEqual({
    stdout: "",
    stderr: `vite: vite 8.0.0 bundles with rolldown, which ${threads}; npm install vite@7\n`,
    exitCode: 126,
  });
  expect(await m.run("npx vitest run")).toEqual({
    stdout: "",
    stderr: `vitest: vitest 4.0.0 runs over vite 8.0.0, which bundles with rolldown, which ${threads}; npm install vite@7\n`,
    exitCode: 126,
  });
  await m.run("npm install vite@7");
  expect(["vite", "vitest"].map((name) => m.read(`node_modules/.bin/${name}`).includes("126"))).toEqual([false, false]);
});

test.each([
  ["tsx", "replaces the loader of modules, which can't be done here; use node, which runs TypeScript by itself"],
  [
    "c8",
    "reads the coverage of V8, which can't be had here; run the command behind it by itself ('mocha' for 'c8 mocha'); for coverage use istanbul's: jest --coverage, or vitest with @vitest/coverage-istanbul",
  ],
  [
    "nyc",
    "finds nothing covered here; run the command behind it by itself ('mocha' for 'nyc mocha'); for coverage use istanbul's: jest --coverage, or vitest with @vitest/coverage-istanbul",
  ],
])("%s says in one line what to use", async (name, why) => {
  const m = machine();
  m.registry.add({ manifest: { name, version: "9.0.0", bin: "cli.js" }, files: () => ({ "cli.js": "#!/usr/bin/env node\n" }) });
  await m.run(`npm install ${name}`);
  expect(await m.run(`npx ${name} node x.ts`)).toEqual({ stdout: "", stderr: `${name}: ${name} 9.0.0 ${why}\n`, exitCode: 126 });
});

test("tokens are never sent", async () => {
  const m = machine();
  m.put({ ".npmrc": "//registry.npmjs.org/:_authToken=secret\n@s:registry=https://example.org/npm/\n" });
  const seen: string[] = [];
  m.network((request) => {
    seen.push(JSON.stringify(request));
    return m.registry.answer(request);
  });
  expect((await m.run("npm install d")).stderr).toContain("holds a password or a token");
  await m.run("npm install @s/x");
  expect(seen.some((request) => request.includes("secret"))).toBe(false);
  expect(seen.at(-1)).toContain('"url":"https://example.org/npm/@s%2fx"');
});

test("a registry of one's own", async () => {
  const m = machine();
  const asked: string[] = [];
  m.network(({ url }) => {
    asked.push(url);
    return { kind: "failed", why: "no" };
  });
  await m.run("npm install d --registry=https://one.example; npm_config_registry=https://two.example/x npm install d");
  m.put({ ".npmrc": "registry = https://three.example/\n" });
  await m.run("npm install d; npm install d --registry http://user:secret@four.example");
  expect(asked).toEqual(["https://one.example/d", "https://two.example/x/d", "https://three.example/d"]);
});

test.each([
  "npm install ./folder",
  "npm install file:../x.tgz",
  "npm install user/repository",
  "npm install git+https://example.org/x.git",
  "npm install https://example.org/x.tgz",
  "npm install x@workspace:*",
  "npm install -g a",
  "npm install a -w packages/x",
  "npm publish",
  "npm login",
  "npm audit",
  "npm link",
  "npm rebuild",
  "npm init",
  "npm nonsense",
])("%s is refused with a reason", async (line) => {
  const m = machine();
  const done = await m.run(line);
  expect(done.exitCode).toBe(1);
  expect(done.stdout + done.stderr).not.toBe("");
  expect(m.registry.asked).toEqual([]);
});

test("workspaces are refused", async () => {
  const m = machine();
  m.put({ "package.json": { name: "p", workspaces: ["packages/*"] } });
  expect((await m.run("npm install")).stderr).toBe(
    "npm error package.json has workspaces, and they are not supported here, because there are no links.\n",
  );
});

test.each(["pnpm install", "yarn add x"])("%s says what to do instead", async (line) => {
  expect((await machine().run(line)).exitCode).toBe(127);
});

test("500 packages", async () => {
  const names = Array.from({ length: 500 }, (_, i) => `p${i}`);
  const m = machine(
    names
      .map((name, i) => `${name} 1.0.0${[2 * i + 1, 2 * i + 2].flatMap((kid) => (kid < 500 ? [` p${kid}@^1`] : [])).join("")}`)
      .join("\n"),
  );
  expect((await m.run("npm install p0")).stdout).toMatch(/added 500 packages/);
  expect(m.tree()).toHaveLength(500);
});
