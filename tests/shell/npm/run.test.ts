import { beforeAll, expect, test } from "vitest";
import { npmMachine, type NpmMachine } from "./machine.ts";
import { packagesOf, type StandInPackage, standIn } from "./stand-in.ts";

/** Shell scripts replace programs, so that these tests need no `node`. */
const tool = (name: string, version = "1.0.0"): StandInPackage => ({
  manifest: { name, version, bin: { [name]: "./run.sh" } },
  files: () => ({
    "run.sh": `#!/bin/sh\necho "${name}@${version}:$#:$*"\n[ "$1" = fail ] && exit 3\n[ "$1" = env ] && env | grep ^npm_lifecycle_event\n[ "$1" = cat ] && cat\nexit 0\n`,
  }),
});

let m: NpmMachine;

beforeAll(async () => {
  const registry = standIn();
  registry.add(...packagesOf("d 1.0.0"), tool("tool", "0.5.0"), tool("tool"), tool("other"));
  m = npmMachine(registry);
  m.put({
    "package.json": {
      name: "p",
      version: "1.0.0",
      scripts: {
        build: "tool build",
        fails: "tool fail",
        next: "npm run build && echo done",
        text: "echo grüße",
        input: "tool cat",
        deep: "cd src && tool x",
      },
    },
    "src/x": "",
  });
  expect((await m.run("npm install -D tool@1")).exitCode).toBe(0);
}, 120_000);

test.each([
  ["npm run -s build", "tool@1.0.0:1:build\n", 0],
  ["npm run -s build -- --watch 'a b'", "tool@1.0.0:3:build --watch a b\n", 0],
  ["npm run build", "\n> p@1.0.0 build\n> tool build\n\ntool@1.0.0:1:build\n", 0],
  ["npm run -s fails", "tool@1.0.0:1:fail\n", 3],
  ["npm run -s fails || echo caught", "tool@1.0.0:1:fail\ncaught\n", 0],
  ["npm run -s text", "grüße\n", 0],
  ["echo in | npm run -s input", "tool@1.0.0:1:cat\nin\n", 0],
  ["cd src && npm run -s deep", "tool@1.0.0:1:x\n", 0],
  ["npm run -s next | tail -1", "done\n", 0],
  ["npx tool a 'b c'", "tool@1.0.0:2:a b c\n", 0],
  ["npx tool --version", "tool@1.0.0:1:--version\n", 0],
  ["npx tool fail; echo $?", "tool@1.0.0:1:fail\n3\n", 0],
  ["npx tool env", "tool@1.0.0:1:env\nnpm_lifecycle_event=npx\n", 0],
  ["npx --yes other x", "other@1.0.0:1:x\n", 0],
  ["npx -y tool@0.5.0 x", "tool@0.5.0:1:x\n", 0],
  ["npx -p other -c 'other y && tool z'", "other@1.0.0:1:y\ntool@1.0.0:1:z\n", 0],
  ["npm exec -- tool --flag", "tool@1.0.0:1:--flag\n", 0],
  ["npm exec tool x", "tool@1.0.0:1:x\n", 0],
  ["node_modules/.bin/tool 1 2 3 4 5 6 7 8 9 10 11", "tool@1.0.0:11:1 2 3 4 5 6 7 8 9 10 11\n", 0],
  ["cd src; ../node_modules/.bin/tool 'a b' ''; cd ..", "tool@1.0.0:2:a b \n", 0],
  ["npm root; npm prefix; npm bin", "/project/node_modules\n/project\n/project/node_modules/.bin\n", 0],
  ["npm version --json | wc -l", "5\n", 0],
])("%s", async (line, stdout, exitCode) => {
  const done = await m.run(`cd /project; ${line}`);
  expect([done.stdout, done.exitCode]).toEqual([stdout, exitCode]);
});

test("a command is found by npm alone", async () => {
  await m.run("npm run build");
  expect(await m.run("tool")).toEqual({ stdout: "", stderr: "bash: tool: command not found\n", exitCode: 127 });
});

test("what is only run is not installed into the project", async () => {
  await m.run("npx -y other x");
  expect(m.tree()).toEqual(["tool@1.0.0"]);
});

test.each([
  ["npx --no other2 x", 'npm error npx canceled due to missing packages and no YES option: ["other2"]\n'],
  ["npx -y d", "npm error could not determine executable to run\n"],
  ["npx nothing-of-that-name", /^npm error code E404\n/],
  ["npx", /^npm error code EUSAGE\n/],
  ["npm install --offline d", "npm error --offline is not here: nothing is kept of what was fetched before\n"],
  ["npm install --tag=next d", "npm error --tag is not here: write the tag after the name, as in name@next\n"],
  ["npm run nope", /^npm error Missing script: "nope"\n/],
  ["npm run constructor", /^npm error Missing script: "constructor"\n/],
])("%s fails and says why", async (line, stderr) => {
  const done = await m.run(line);
  expect(done.exitCode).toBe(1);
  expect(done.stderr).toEqual(typeof stderr === "string" ? stderr : expect.stringMatching(stderr));
});

test("a script that fails in one workspace and is missing in another", async () => {
  const own = npmMachine(standIn());
  own.put({
    "package.json": { name: "p", workspaces: ["packages/*"] },
    "packages/a/package.json": { name: "@m/a", version: "1.0.0", scripts: { fail: "exit 3" } },
    "packages/b/package.json": { name: "b", version: "2.0.0" },
  });
  expect(await own.run("npm run fail --workspaces")).toEqual({
    stdout: "\n> @m/a@1.0.0 fail\n> exit 3\n\n",
    stderr: `npm error Lifecycle script \`fail\` failed with error:
npm error code 3
npm error path /project/packages/a
npm error workspace @m/a@1.0.0
npm error location /project/packages/a
npm error command failed
npm error command sh -c exit 3

npm error Lifecycle script \`fail\` failed with error:
npm error workspace b@2.0.0
npm error location /project/packages/b
npm error Missing script: "fail"
npm error
npm error To see a list of scripts, run:
npm error   npm run --workspace=b@2.0.0
`,
    exitCode: 1,
  });
  expect((await own.run("npm run fail -w nope")).stderr).toBe("npm error No workspaces found:\nnpm error   --workspace=nope\n");
  expect((await own.run("npm run fail -w b --no-workspaces")).stderr).toBe(
    "npm error Cannot use --no-workspaces and --workspace at the same time\n",
  );
});

test("a package.json above the project that can't be parsed does no harm", async () => {
  const own = npmMachine(standIn());
  own.put({ "package.json": "{ broken", "sub/package.json": { name: "s", scripts: { x: "echo ran" } } });
  expect(await own.run("cd sub && npm run -s x")).toMatchObject({ stdout: "ran\n", exitCode: 0 });
});
