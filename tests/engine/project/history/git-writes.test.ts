import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { exportFiles } from "../../../../src/fs/history/export-files.ts";
import { filesBelow } from "../../../../src/fs/history/folders.ts";
import { memoryHistoryStore } from "../../../../src/fs/history/memory-store.ts";
import { unpackObject } from "../../../../src/fs/history/object.ts";
import { parseTree } from "../../../../src/fs/history/tree.ts";
import { call, ended, say } from "../../harness.ts";
import { spellings } from "../outgoing/attacks.ts";
import { hasGit } from "../outgoing/machine.ts";
import { project, type Project } from "./project.ts";

const write = (id: string, path: string, content: string) => call(id, "write_file", { path, content });
const welcome = [{ name: "doc-main.md", content: "> Authorized: write_file\n" }];
const blob = (nth: number) => `.git/objects/${nth.toString(16).padStart(2, "0")}/${"a".repeat(38)}`;

test("a write below .git is listed, and in the history with who wrote it", async () => {
  const p = await project(
    [[write("a", ".git/config", "[core]\n\tfsmonitor = evil\n"), write("b", "src/x.js", "1\n"), ended], say("Done.")],
    { welcome },
  );
  await p.frames(await p.ask("POST", "/dialog", { provider: "claude", slug: "game", prompt: "Go" }));
  const { id } = await p.dialog();
  expect((await p.lines("?limit=1"))[0]).toBe("agent: added src/x.js; 1 in .git");
  const commit = await p.newest();
  expect((await p.commit(commit.id)).changes.map(({ path }) => path)).toEqual([".git/config", "src/x.js"]);
  expect(await (await p.ask("GET", "/deed")).json()).toMatchObject([{ path: ".git/config" }, { path: "src/x.js" }]);
  const look = await (await p.ask("GET", "/project.zip?look=1")).json();
  expect(look).toMatchObject({
    total: 1,
    findings: [{ path: ".git", level: "held", reason: { kind: "unreadable" }, writer: { kind: "agent", dialogId: id, commit: commit.id } }],
  });
  expect((await p.turnBack("undo", commit.id)).changed).toEqual([".git/config", "src/x.js"]);
  expect(Object.keys(await p.texts())).toEqual(["vibey/doc-main.md"]);
});

test("files that run by themselves and that only earlier versions have are told, with who wrote them", async () => {
  const p = await project(
    [[write("a", ".envrc", "x\n"), write("b", "site/.vscode/tasks.json", "x\n"), write("c", ".vimrc", "x\n"), ended], say("Done.")],
    { welcome },
  );
  await p.frames(await p.ask("POST", "/dialog", { provider: "claude", slug: "game", prompt: "Go" }));
  const { id } = await p.dialog();
  await p.ask("DELETE", "/deed/.envrc");
  await p.ask("DELETE", "/deed/site/.vscode/tasks.json");
  const look = await (await p.ask("GET", "/project.zip?look=1")).json();
  const by = { writer: { kind: "agent", dialogId: id } };
  expect(look).toMatchObject({
    total: 3,
    findings: [
      { path: ".vimrc", level: "held", ...by },
      { path: ".envrc", level: "history", reason: { kind: "runs", program: "direnv" }, ...by },
      { path: "site/.vscode/tasks.json", level: "history", reason: { kind: "runs", program: "Visual Studio Code" }, ...by },
    ],
  });
  // Docs are exported without a history.
  expect(await (await p.ask("GET", "/project.zip?scope=dialogs&look=1")).json()).toEqual({ total: 0, findings: [], packages: 0 });
});

test("objects of a repository are in the history and not in the list of files", async () => {
  const p = await project();
  await p.put(blob(1), "x");
  await p.put(".git/objects/evil", "x");
  expect(await (await p.ask("GET", "/deed")).json()).toMatchObject([{ path: ".git/objects/evil" }]);
  expect((await p.lines("?limit=2"))[1]).toContain("added .git/objects/01/");
});

test("an undo takes no object away, and leaves a repository as it is when it has moved on", async () => {
  const p = await project();
  const turn = async (nth: number) => {
    for (const [name, text] of [
      [blob(nth), `object ${nth}`],
      [".git/refs/heads/main", `${nth}`],
      [".git/index", `index ${nth}`],
      ["a.txt", `${nth}`],
    ] as const)
      await p.put(name, text);
    await p.history();
    return (await p.history("?limit=4")).commits;
  };
  const first = await turn(1);
  const second = await turn(2);
  for (const { id } of first) await p.turnBack("undo", id);
  const after = await p.texts();
  expect([after[blob(1)], after[blob(2)], after[".git/refs/heads/main"], after[".git/index"]]).toEqual([
    "object 1",
    "object 2",
    "2",
    "index 2",
  ]);
  for (const { id } of second) await p.turnBack("undo", id);
  const then = await p.texts();
  expect([then[blob(2)], then[".git/refs/heads/main"]]).toEqual(["object 2", "1"]);
});

test("everything comes back as it was, .git included, but for objects, of which none goes", async () => {
  const p = await project();
  await p.put(".git/HEAD", "ref: refs/heads/main\n");
  await p.put(blob(1), "1");
  await p.history();
  const { id } = await p.newest();
  await p.put(".git/HEAD", "x");
  await p.put(".git/hooks/pre-commit", "evil");
  await p.put(blob(2), "2");
  await p.history();
  await p.turnBack("restore", id);
  expect(await p.texts()).toMatchObject({ ".git/HEAD": "ref: refs/heads/main\n", [blob(1)]: "1", [blob(2)]: "2" });
  expect(await p.texts()).not.toHaveProperty([".git/hooks/pre-commit"]);
});

const segment = fc.constantFrom(
  ...spellings.filter((name) => !name.endsWith(" ")),
  ".git",
  "a",
  "config",
  "HEAD",
  "a.is-a-file-too",
  ".git.is-a-folder",
  "=.git",
  "==.GIT",
  "=a",
  ".gitignore",
);

test.skipIf(!hasGit)(
  "law: whatever is below .git, in any spelling, git finds no fault with the history, and the names come back",
  async () => {
    const paths = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(paths, { minLength: 1, maxLength: 20 }), async (names) => {
        const p = await project();
        for (const name of names) await p.put(name, name);
        await p.history();
        const { store, tree } = newest(p);
        const read = async (oid: string) =>
          parseTree(await unpackObject({ oid, stored: (await store.object(oid)) ?? new Uint8Array() }, "tree"));
        const found = await filesBelow(tree, read);
        expect([...found.keys()].map(String).toSorted()).toEqual(
          [...new Set(names.map((name) => name.normalize("NFC"))), "vibey/doc-main.md"].toSorted(),
        );
        await fsck(p);
      }),
      { numRuns: 4 },
    );
  },
);

function newest(p: Project) {
  const store = memoryHistoryStore(p.memory);
  const tree = p.memory.commits.at(-1)?.tree;
  if (tree === undefined) throw new Error("no commit");
  return { store, tree };
}

async function fsck(p: Project): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "vibey-history-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { files } = await exportFiles(memoryHistoryStore(p.memory), { bare: true });
  for (const { path, bytes } of files) {
    execFileSync("mkdir", ["-p", join(folder, path, "..")]);
    writeFileSync(join(folder, path), bytes);
  }
  expect(
    execFileSync("git", ["--git-dir", folder, "fsck", "--strict", "--full"], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
  ).toBe("");
  rmSync(folder, { recursive: true });
}
