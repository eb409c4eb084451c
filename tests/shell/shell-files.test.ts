import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createShellFiles, type ShellFiles } from "../../src/shell/embedded/shell-files.ts";
import { createTouched, type Touched } from "../../src/shell/embedded/touched.ts";
import { dialogRefusal } from "../../src/protocol/write-rules.ts";
import { path } from "../fs/notation.ts";

interface Bench {
  readonly files: ShellFiles;
  readonly touched: Touched;
}

function bench(contents: Readonly<Record<string, string>> = {}, fetched: Readonly<Record<string, string>> = {}): Bench {
  const touched = createTouched();
  const files = createShellFiles({
    refusal: dialogRefusal,
    record: (op) => touched.apply(structuredClone(op)),
    fetch: async (at) => (at in fetched ? new TextEncoder().encode(fetched[at]) : null),
    now: () => 0,
    failure: (message) => new Error(message),
  });
  for (const [name, text] of Object.entries(contents)) files.put(path(name), new TextEncoder().encode(text), text.length, 0);
  for (const name of Object.keys(fetched)) files.put(path(name), null, 1, 0);
  files.beginCommand();
  return { files, touched };
}

/** Every file of the project, as the shell reads it. */
async function read(files: ShellFiles): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const at of files.getAllPaths()) {
    if (at.startsWith("/project/") && (await files.stat(at)).isFile) found[at.slice("/project/".length)] = await files.readFile(at);
  }
  return found;
}

function replayed(contents: Readonly<Record<string, string>>, touched: Touched): Record<string, string> {
  const now = { ...contents };
  for (const { path: at, bytes } of touched.files()) {
    if (bytes === null) delete now[at];
    else now[at] = new TextDecoder().decode(bytes);
  }
  return now;
}

describe("content that is fetched", () => {
  const sizes: Readonly<Record<string, number>> = { a: 40, b: 30, c: 50, d: 60, "e/f": 20 };
  /** Files that hold at most 100 bytes of content. */
  function hungry(): { readonly files: ShellFiles; readonly fetched: string[] } {
    const fetched: string[] = [];
    const files = createShellFiles({
      refusal: dialogRefusal,
      record: () => undefined,
      async fetch(at) {
        fetched.push(at);
        return new Uint8Array(sizes[at] ?? 0).fill(at.charCodeAt(0));
      },
      now: () => 0,
      failure: (message) => new Error(message),
      fetchedLimit: 100,
    });
    for (const [name, size] of Object.entries(sizes)) files.put(path(name), null, size, 0);
    files.beginCommand();
    return { files, fetched };
  }
  const length = async (files: ShellFiles, name: string): Promise<number> => (await files.readFileBuffer(`/project/${name}`)).length;

  test("is held up to a limit, and what was fetched first is fetched again", async () => {
    const { files, fetched } = hungry();
    for (const name of ["a", "b", "a", "c", "b", "a", "e/f", "d"]) expect(await length(files, name)).toBe(sizes[name]);
    expect(fetched).toEqual(["a", "b", "c", "a", "e/f", "d"]);
  });

  test("and then changed or moved is never given up", async () => {
    const { files, fetched } = hungry();
    await files.appendFile("/project/a", "!");
    await files.mv("/project/b", "/project/e/g");
    await files.writeFile("/project/c", "new");
    for (const name of ["d", "e/f"]) await length(files, name);
    for (let n = 0; n < 2; n++) {
      expect([await length(files, "a"), await length(files, "e/g"), await length(files, "c")]).toEqual([41, 30, 3]);
    }
    expect(fetched).toEqual(["a", "b", "d", "e/f"]);
  });

  test("for programs that can't wait is the smaller files; others say why they can't be read", async () => {
    const { files, fetched } = hungry();
    await files.now.load();
    expect(fetched).toEqual(["e/f", "b", "a"]);
    expect(files.now.read("/project/a")).toHaveLength(40);
    expect(() => files.now.read("/project/d")).toThrow(
      "EAGAIN: resource temporarily unavailable: 0.0001 MB of the project's large files can be had at the same time, and '/project/d' is not among them",
    );
    await files.now.load(["/project/e", "/project/none"]);
    expect(fetched).toHaveLength(3);
  });

  test("can be asked for by name", async () => {
    const { files, fetched } = hungry();
    await files.now.load(["/project/d", "/project/e"]);
    expect(fetched).toEqual(["e/f", "d"]);
    expect(files.now.read("/project/d")[0]).toBe(100);
    expect(() => files.now.read("/project/a")).toThrow("EAGAIN");
  });

  test("that is asked for takes the place of what was fetched before, and of nothing that is asked for, too", async () => {
    const { files, fetched } = hungry();
    for (const name of ["a", "d"]) await length(files, name);
    await files.now.load(["/project/a", "/project/c"]);
    expect(fetched).toEqual(["a", "d", "c"]);
    expect([files.now.read("/project/a").length, files.now.read("/project/c").length]).toEqual([40, 50]);
    expect(() => files.now.read("/project/d")).toThrow("EAGAIN");
  });

  test("can be asked for by what their names look like", async () => {
    const { files, fetched } = hungry();
    await files.now.load(undefined, (at) => /[bf]$/.test(at));
    expect(fetched).toEqual(["e/f", "b"]);
  });
});

test("what is moved stands at one place at least, whenever the command is killed", async () => {
  const at: string[] = [];
  const files = createShellFiles({
    refusal: dialogRefusal,
    record: (op) => at.push(`${op.type} ${op.path}`),
    fetch: async () => null,
    now: () => 0,
    failure: (message) => new Error(message),
  });
  for (const name of ["a", "b", "d/e", "d/f"]) files.put(path(name), new Uint8Array(1), 1, 0);
  await files.mv("/project/a", "/project/b");
  await files.mv("/project/d", "/project/g");
  expect(at).toEqual(["write b", "remove a", "write g/e", "remove d/e", "write g/f", "remove d/f"]);
});

describe("what is recorded", () => {
  const contents = { a: "a", "d/b": "b", "d/e/c": "c" };
  const names = ["a", "d/b", "d/e/c", "d", "d/e", "new", "d/new", "no/where", "vibey/dialog-x.md", "vibey/doc-x.md", "."].map(
    (name) => `/project/${name}`,
  );
  const name = fc.constantFrom(...names, "/tmp/t");
  const text = fc.constantFrom("", "x", "yy");
  const operation = fc.oneof(
    fc.tuple(fc.constant("writeFile" as const), name, text),
    fc.tuple(fc.constant("appendFile" as const), name, text),
    fc.tuple(fc.constant("mv" as const), name, name),
    fc.tuple(fc.constant("cp" as const), name, name),
    fc.tuple(fc.constant("rm" as const), name, text),
    fc.tuple(fc.constant("mkdir" as const), name, text),
  );

  test("law: replayed over what was given, it is what the shell sees, whatever was done and whatever failed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 30 }), async (operations) => {
        const { files, touched } = bench(contents);
        for (const [op, first, second] of operations) {
          try {
            if (op === "cp") await files.cp(first, second, { recursive: true });
            else if (op === "rm") await files.rm(first, { recursive: true });
            else if (op === "mkdir") await files.mkdir(first);
            else await files[op](first, second);
          } catch (error) {
            // A refused operation may have done a part, and must have recorded that part.
            expect(String(error)).toMatch(/^Error: E[A-Z]+: /);
          }
        }
        expect(replayed(contents, touched)).toEqual(await read(files));
        expect(touched.files().filter((file) => file.path.startsWith("vibey/dialog-"))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("an append to a file that was given is recorded whole once, then piece by piece", async () => {
    const ops: string[] = [];
    const files = createShellFiles({
      refusal: () => null,
      record: (op) => ops.push(`${op.type} ${"bytes" in op ? new TextDecoder().decode(op.bytes) : ""}`),
      fetch: async () => null,
      now: () => 0,
      failure: (message) => new Error(message),
    });
    files.put(path("log"), new TextEncoder().encode("1"), 1, 0);
    for (const more of ["2", "3"]) await files.appendFile("/project/log", more);
    files.beginCommand();
    await files.appendFile("/project/log", "4");
    expect(ops).toEqual(["write 12", "append 3", "write 1234"]);
  });

  test.each<[did: string, keeps: number | null, act: (files: ShellFiles) => Promise<void>]>([
    ["appended", 3, async (files) => files.appendFile("/project/log", "b")],
    ["appended twice", 3, async (files) => (await files.appendFile("/project/log", "b"), files.appendFile("/project/log", "c"))],
    ["appended to a new one", 0, async (files) => (await files.rm("/project/log"), files.appendFile("/project/new", "b"))],
    ["wrote", null, async (files) => files.writeFile("/project/log", "oneb")],
    ["wrote, then appended", null, async (files) => (await files.writeFile("/project/log", "b"), files.appendFile("/project/log", "c"))],
    ["appended, then wrote", null, async (files) => (await files.appendFile("/project/log", "b"), files.writeFile("/project/log", "c"))],
    ["removed, then appended", null, async (files) => (await files.rm("/project/log"), files.appendFile("/project/log", "b"))],
    ["moved there", null, async (files) => (await files.appendFile("/tmp/a", "b"), files.mv("/tmp/a", "/project/log"))],
  ])("what was kept of a file is known when it was only appended to: %s", async (_, keeps, act) => {
    const { files, touched } = bench({ log: "one" });
    await act(files);
    expect(touched.files().at(-1)?.keeps).toBe(keeps);
    expect(touched.takeFresh().at(-1)?.keeps).toBe(keeps);
  });

  test("what was read stays as it was when the file grows", async () => {
    const { files } = bench({ log: "one" });
    await files.appendFile("/project/log", "two");
    const before = await files.readFileBuffer("/project/log");
    await files.appendFile("/project/log", "three");
    expect(new TextDecoder().decode(before)).toBe("onetwo");
    expect(await files.readFile("/project/log")).toBe("onetwothree");
  });
});

describe("content that only the engine has", () => {
  test("is fetched when it is read", async () => {
    const { files } = bench({}, { "vibey/dialog-x.md": "said" });
    expect(await files.readFile("/project/vibey/dialog-x.md")).toBe("said");
    await files.cp("/project/vibey/dialog-x.md", "/project/copy.md");
    expect(await files.readFile("/project/copy.md")).toBe("said");
  });

  test("that is gone by then is a missing file", async () => {
    const { files } = bench();
    files.put(path("vibey/dialog-x.md"), null, 10, 0);
    await expect(files.readFile("/project/vibey/dialog-x.md")).rejects.toThrow("ENOENT");
  });
});

describe("refusals", () => {
  test.each([
    ["a link", (files: ShellFiles) => files.symlink("a", "/project/l"), "ENOTSUP: links are not supported in this shell"],
    ["a hard link", (files: ShellFiles) => files.link("/project/a", "/project/l"), "ENOTSUP: links are not supported in this shell"],
    ["a backslash", (files: ShellFiles) => files.writeFile("/project/a\\b", ""), "EINVAL"],
    ["a NUL", (files: ShellFiles) => files.writeFile("/project/a\0b", ""), "EINVAL"],
    ["a name that is too long", (files: ShellFiles) => files.writeFile(`/project/${"x".repeat(1025)}`, ""), "EINVAL"],
    ["a missing folder", (files: ShellFiles) => files.writeFile("/project/no/x", ""), "ENOENT"],
    ["a file as a folder", (files: ShellFiles) => files.writeFile("/project/a/x", ""), "ENOENT"],
    ["a folder as a file", (files: ShellFiles) => files.writeFile("/project/d", ""), "EISDIR"],
    ["a file that is too large", (files: ShellFiles) => files.writeFile("/project/big", new Uint8Array(64_000_001)), "EFBIG"],
    ["the shell's own commands", (files: ShellFiles) => files.writeFile("/bin/ls", ""), "EROFS"],
    ["a folder into itself", (files: ShellFiles) => files.mv("/project/d", "/project/d/d"), "EINVAL"],
    ["the project's folder", (files: ShellFiles) => files.mv("/project", "/tmp/p"), "EBUSY"],
    ["a folder that is not empty", (files: ShellFiles) => files.rm("/project/d"), "ENOTEMPTY"],
  ])("%s", async (_, attempt, message) => {
    const { files, touched } = bench({ a: "a", "d/b": "b" });
    await expect(attempt(files)).rejects.toThrow(message);
    expect(touched.files()).toEqual([]);
  });

  test("a folder moves as a whole or not at all", async () => {
    const { files, touched } = bench({ "d/a": "a", "d/dialog-x.md": "x" });
    await files.rm("/project/vibey", { recursive: true });
    await expect(files.mv("/project/d", "/project/vibey/d")).resolves.toBeUndefined();
    await expect(files.mv("/project/vibey/d/dialog-x.md", "/project/vibey/dialog-x.md")).rejects.toThrow("EROFS");
    expect(Object.keys(replayed({ "d/a": "a", "d/dialog-x.md": "x" }, touched)).toSorted()).toEqual(["vibey/d/a", "vibey/d/dialog-x.md"]);
  });

  test("one spelling of a name is another", async () => {
    const { files } = bench({ "caf\u00e9": "x" });
    expect(await files.readFile("/project/cafe\u0301")).toBe("x");
    await files.writeFile("/project/./d/../cafe\u0301", "y");
    expect(await read(files)).toEqual({ "caf\u00e9": "y" });
  });
});

test("a script is what starts with #!, until somebody sets a mode", async () => {
  const { files } = bench({ run: "#!/bin/bash\n", text: "x" });
  const mode = async (at: string): Promise<number> => (await files.stat(`/project/${at}`)).mode;
  expect([await mode("run"), await mode("text")]).toEqual([0o755, 0o644]);
  await files.chmod("/project/text", 0o700);
  files.put(path("text"), new TextEncoder().encode("y"), 1, 0);
  expect(await mode("text")).toBe(0o700);
});

test("a folder goes with the last file that the project had in it", () => {
  const { files } = bench({ "d/e/x": "x", "d/y": "y" });
  files.drop(path("d/e/x"));
  expect(files.isFolder("/project/d/e")).toBe(false);
  expect(files.isFolder("/project/d")).toBe(true);
  files.drop(path("d/y"));
  expect(files.isFolder("/project/d")).toBe(false);
  expect(files.isFolder("/project/vibey")).toBe(true);
});

test("no path leads deeper than Linux lets one, also by moving", async () => {
  const { files } = bench();
  const deep = "/tmp" + "/a".repeat(2_000);
  expect(() => files.now.makeFolder(`/tmp${"/a".repeat(3_000)}`, true)).toThrow("ENAMETOOLONG");
  await files.mkdir(deep, { recursive: true });
  await files.mkdir("/tmp/b/c", { recursive: true });
  await expect(files.mv("/tmp/a", "/tmp/b/c/" + "long".repeat(30))).rejects.toThrow("ENAMETOOLONG");
  await files.mv("/tmp/a", "/tmp/b/c/d");
  expect(files.now.stat("/tmp/b/c/d" + "/a".repeat(1_999))?.kind).toBe("folder");
});

test("of changes that are refused without end a command tells the first thousand", () => {
  const { files } = bench();
  for (let i = 0; i < 3_000; i++)
    expect(() => files.now.write(`/project/vibey/dialog-20260101-000000-n${i}.md`, new Uint8Array())).toThrow("EROFS");
  expect(files.refusedCount()).toBe(3_000);
  expect(files.takeRefused()).toHaveLength(1_000);
  expect(files.refusedCount()).toBe(0);
});
