import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { packMember, packZip } from "../../../src/shell/embedded/commands/zip-format.ts";
import { unpackWheel } from "../../../src/shell/embedded/pip/wheel.ts";
import { loopbackWorker } from "../loopback.ts";
import { project } from "../project.ts";
import { testIndex, type TestWheel } from "./index-stand-in.ts";

const site = ".venv/lib/python3.14/site-packages";

/** A shell whose index has these wheels; `others`: files that are not usable wheels. */
async function shell(
  wheels: readonly TestWheel[],
  others: Readonly<Record<string, readonly string[]>> = {},
  contents: Readonly<Record<string, string>> = {},
) {
  const index = await testIndex(wheels, others);
  const bench = await project({ createWorker: loopbackWorker, contents });
  return {
    index,
    files: bench.files,
    run: (command: string) => bench.runAndKeep(command, { network: index.network, timeoutMs: 240_000 }),
  };
}

const web: readonly TestWheel[] = [
  { name: "web", version: "1.0", needs: ["base>=1,<3", 'extra-thing; extra == "more"', 'old; python_version < "3"'], separate: true },
  { name: "web", version: "2.0rc1" },
  { name: "base", version: "1.0" },
  { name: "base", version: "2.0" },
  { name: "base", version: "2.5", yanked: true },
  { name: "base", version: "2.9", python: ">=4" },
  { name: "base", version: "3.0" },
  { name: "extra-thing", version: "1" },
];

describe("pip install", () => {
  test.each<[command: string, installed: string]>([
    ["pip install web", "base==2.0 web==1.0"],
    ["pip3 install 'web[more]'", "base==2.0 extra-thing==1 web==1.0"],
    ["python3 -m pip install web", "base==2.0 web==1.0"],
    ["pip install --pre --no-deps web", "web==2.0rc1"],
    ["pip install web==2.0rc1", "web==2.0rc1"],
    ["pip install base==2.5", "base==2.5"],
    ["pip install 'base<2' web", "base==1.0 web==1.0"],
    ["pip install web 'base!=2.0'", "base==1.0 web==1.0"],
    ["echo 'base<2 # old' > c.txt; pip install -c c.txt web", "base==1.0 web==1.0"],
    [
      "mkdir d; printf 'base ; os_name == \"posix\"\\n-r more.txt\\n' > d/r.txt; echo extra_thing > d/more.txt; pip install -r d/r.txt",
      "base==3.0 extra-thing==1",
    ],
    ["pip install base==1.0; pip install web", "base==1.0 web==1.0"],
    ["pip install base==1.0; pip install -U base", "base==3.0"],
    ["pip install base==1.0; pip install 'base>=2' web", "base==2.0 web==1.0"],
    ["pip install web; pip uninstall -y base", "web==1.0"],
    ["pip install --dry-run web", ""],
    ["pip install --root-user-action ignore --only-binary :all: base==1.0", "base==1.0"],
    ["pip install -t lib web && ls lib/base.py && ls -a | grep -c venv; pip install base==1.0", "base==1.0"],
  ])("%s", async (command, installed) => {
    const { run } = await shell(web);
    expect(await run(command)).toMatchObject({ exitCode: 0 });
    expect((await run("pip freeze")).stdout.trim().replaceAll("\n", " ")).toBe(installed);
  });

  test("what it installed is imported by any Python of the project, and its programs are in bin", async () => {
    const { run, index } = await shell([
      {
        name: "tool",
        version: "1",
        files: { "tool/__init__.py": "def main():\n    print('ran')\n    return 3\n" },
        scripts: "[console_scripts]\ntool = tool:main\n",
      },
    ]);
    const done = await run("pip install tool");
    expect(done.stdout).toContain("Successfully installed tool-1\n");
    expect(done.stderr).toContain("The script tool is installed in '/project/.venv/bin' which is not on PATH");
    expect(index.asked).toEqual(["https://pypi.org/simple/tool/", "https://files.test/tool-1-py3-none-any.whl"]);
    expect(await run("mkdir x; cd x; python3 -c 'import tool; print(tool.__file__)'")).toMatchObject({
      stdout: `/project/${site}/tool/__init__.py\n`,
    });
    expect(await run("cd /project; .venv/bin/tool")).toMatchObject({ stdout: "ran\n", exitCode: 3 });
    expect(await run("source .venv/bin/activate; tool; deactivate; tool")).toMatchObject({ stdout: "ran\n", exitCode: 127 });
    expect(await run("git init -q; git status --short")).toMatchObject({ stdout: "" });
    expect(await run("pip install tool")).toMatchObject({ stdout: `Requirement already satisfied: tool in ./${site} (1)\n` });
  });

  test("the standard library comes first", async () => {
    const { run } = await shell([{ name: "json", version: "1" }]);
    expect(await run("pip install json && python3 -c 'import json; print(json.dumps(1))'")).toMatchObject({ exitCode: 0 });
  });

  test.each<[command: string, error: string]>([
    ["pip install none", "Could not find a version that satisfies the requirement none (from versions: none)"],
    ["pip install 'base>7'", "Could not find a version that satisfies the requirement base>7 (from versions: 1.0, 2.0, 2.5, 3.0)"],
    ["pip install 'base>=3' web", "web 1.0 depends on base>=1,<3"],
    ["pip install compiled", "compiled has no wheel of pure Python"],
    ["pip install -e .", "a project's own code is not installed here"],
    ["pip install .", "a project's own code is not installed here"],
    ["pip install", "You must give at least one requirement"],
    ["pip install -r none.txt", "Could not open requirements file"],
    ["pip install --frob x", "no such option: --frob"],
    ["echo -r r.txt > r.txt; pip install -r r.txt", "more than 20 deep"],
    ["echo 'base --hash=sha256:" + "0".repeat(64) + "' > r.txt; pip install -r r.txt", "Could not find a version"],
    ["pip install -i ftp://x base", "is no address of an index"],
    ["pip install liar", "says that it is version 2"],
    ["pip install -t /usr/x base", "come into /project or /tmp only"],
    ["pip install -t vibey base", "vibey/"],
    ["pip install clash base", "would be both a file and a folder"],
    [`echo 'web --hash=sha256:${"0".repeat(64)}' > r.txt; pip install -r r.txt`, "Could not find a version"],
    [`echo 'nohash' > r.txt; echo 'base --hash=sha256:${"0".repeat(64)}' >> r.txt; pip install -r r.txt`, "all must have one"],
    ["pip install wrong", "DO NOT MATCH THE HASHES"],
    ["pip install stranger", "is a wheel of other, not of stranger"],
    ["pip uninstall base", "run it with -y"],
    ["pip download base", "pip download is not here"],
    ["pip frob", 'unknown command "frob"'],
  ])("%s fails, and nothing is installed", async (command, error) => {
    const { run, files } = await shell(
      [
        ...web,
        { name: "wrong", version: "1", sha256: "0".repeat(64) },
        { name: "stranger", version: "1", says: "other" },
        { name: "liar", version: "1", saysVersion: "2" },
        { name: "clash", version: "1", files: { "base.py/x.py": "" } },
        { name: "nohash", version: "1" },
      ],
      { compiled: ["compiled-1-cp314-cp314-manylinux_2_17_x86_64.whl", "compiled-1.tar.gz"] },
    );
    const before = (await files.list()).length;
    const { stderr, exitCode } = await run(command);
    expect([stderr, exitCode]).toEqual([expect.stringContaining(error), 1]);
    expect((await files.list()).filter(({ path }) => path.startsWith(".venv")).length + before).toBe(before);
  });

  test.each([
    ["refused", { kind: "refused", why: "the user does not allow it" } as const, "was refused: the user does not allow it"],
    ["failed", { kind: "failed", why: "no network" } as const, "can't be reached: no network"],
    [
      "no JSON",
      { kind: "answer", url: "", status: 200, statusText: "", headers: [], body: new TextEncoder().encode("<html>") } as const,
      "PEP 691",
    ],
    ["a status", { kind: "answer", url: "", status: 503, statusText: "", headers: [], body: new Uint8Array() } as const, "the status 503"],
  ])("a request that is answered so is told: %s", async (_, answer, error) => {
    const bench = await project({ createWorker: loopbackWorker });
    const done = await bench.run("pip install a", { network: async () => answer });
    expect(done).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(error) });
  });
});

describe("pytest", () => {
  test("says how it is installed, and runs once it is", async () => {
    const { run } = await shell([
      { name: "pytest", version: "1", files: { "pytest/__init__.py": "", "pytest/__main__.py": "import sys\nprint(sys.argv[1:])\n" } },
    ]);
    expect(await run("pytest -q")).toMatchObject({ exitCode: 127, stderr: expect.stringContaining("pip install pytest") });
    expect(await run("pip install -q pytest && pytest -q x")).toMatchObject({ stdout: "['-q', 'x']\n" });
  });
});

test("python3 -m venv makes a folder that pip and python3 use once it is active", async () => {
  const { run } = await shell(web);
  expect(
    await run("python3 -m venv env && . env/bin/activate && pip install base && python -c 'import base; print(base.__file__)'"),
  ).toMatchObject({
    stdout: expect.stringContaining("/project/env/lib/python3.14/site-packages/base.py\n"),
  });
  expect(await run("unset VIRTUAL_ENV; /usr/bin/pip freeze; env/bin/pip freeze; python3 -m venv /etc/x")).toMatchObject({
    stdout: "base==3.0\n",
    stderr: expect.stringContaining("can be made in /project and in /tmp only"),
  });
});

describe("a wheel", () => {
  const metadata = "Name: a\nVersion: 1\n";
  const wheel = async (files: Readonly<Record<string, string>>) =>
    unpackWheel(
      "a.whl",
      packZip(
        await Promise.all(
          Object.entries(files).map(([name, text]) => packMember(name, new TextEncoder().encode(text), new Date(0), 0o644, false)),
        ),
      ),
    );

  test.each([
    ["../x.py", "is no path inside the package"],
    ["/x.py", "is no path inside the package"],
    ["a/../../x.py", "is no path inside the package"],
    ["a\\x.py", "is no path inside the package"],
    ["a/b.cpython-314-wasm32-emscripten.so", "is compiled code"],
    ["a-1.dist-info/METADATA/x", "is both a file and a folder"],
    ["b-1.dist-info/RECORD", "belongs to another package"],
    ["a-1.data/purelib/b-1.dist-info/RECORD", "belongs to another package"],
    ["x".repeat(1_100), "more than 1024 characters"],
    ["b-1.dist-info/METADATA", "METADATA more than once"],
  ])("with %j is refused as a whole", async (name, why) => {
    await expect(wheel({ "a-1.dist-info/METADATA": metadata, [name]: "x" })).rejects.toThrow(why);
  });

  test("without METADATA, or that is no zip, is refused", async () => {
    await expect(wheel({ "a.py": "" })).rejects.toThrow("no METADATA");
    await expect(unpackWheel("a.whl", new Uint8Array(100))).rejects.toThrow("no zip archive");
  });

  test("has its files where it says they belong", async () => {
    const { files, scripts } = await wheel({
      "a-1.dist-info/METADATA": metadata,
      "a.py": "1",
      "a-1.data/purelib/b.py": "2",
      "a-1.data/scripts/run": "#!python\n",
      "a-1.data/headers/x.h": "no",
    });
    expect([[...files.keys()], [...scripts.keys()]]).toEqual([["a-1.dist-info/METADATA", "a.py", "b.py"], ["run"]]);
  });

  test("law: bytes that are changed anywhere are refused or give the same files", async () => {
    const bytes = packZip([
      await packMember("a-1.dist-info/METADATA", new TextEncoder().encode(metadata), new Date(0), 0o644, false),
      await packMember("a.py", new TextEncoder().encode("x = 1\n".repeat(50)), new Date(0), 0o644, false),
    ]);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = bytes.slice();
        changed[at] = (changed[at] ?? 0) ^ change;
        const found = await unpackWheel("a.whl", changed).catch((error: unknown) => {
          if (!(error instanceof Error) || error.name === "RangeError" || error instanceof TypeError) throw error;
          return null;
        });
        for (const [name, content] of found?.files ?? [])
          if (name === "a.py") expect(new TextDecoder().decode(content)).toBe("x = 1\n".repeat(50));
      }),
      { numRuns: 200 },
    );
  });
});
