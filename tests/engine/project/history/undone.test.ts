import { expect, test } from "vitest";
import { project, type Project } from "./project.ts";

/** For each commit, newest first, the summary of the commit that undid it. */
async function undone(p: Project, query = ""): Promise<Record<string, string | null>> {
  const { commits } = await p.history();
  const names = new Map(commits.map(({ id, summary }) => [id, summary]));
  const asked = (await p.history(query)).commits;
  return Object.fromEntries(asked.map((commit) => [commit.summary, commit.undone && (names.get(commit.undone.by) ?? null)]));
}

async function three(): Promise<Project> {
  const p = await project();
  for (const name of ["a", "b", "c"]) {
    await p.put(name, "1");
    await p.history();
  }
  return p;
}
const idOf = async (p: Project, summary: string) => (await p.history()).commits.find((one) => one.summary === summary)?.id ?? "";
const undo = async (p: Project, summary: string, path?: string) => p.turnBack("undo", await idOf(p, summary), path);

test("a commit that was undone says by which one, also to the next engine; done again, it is undone no more", async () => {
  const p = await three();
  await undo(p, "added b");
  expect((await p.newest("?path=b")).summary).toBe("undid “added b”");
  const q = await p.again();
  for (const one of [p, q])
    expect(await undone(one, "?limit=3")).toEqual({ "undid “added b”": null, "added c": null, "added b": "undid “added b”" });
  await undo(q, "undid “added b”");
  expect(await undone(q, "?limit=3")).toEqual({ "redid “added b”": null, "undid “added b”": "redid “added b”", "added c": null });
  expect(await undone(q, "?path=b")).toMatchObject({ "added b": null });
  expect((await q.texts())["b"]).toBe("1");
  // Undoing and redoing again doesn't make the name longer.
  await undo(q, "redid “added b”");
  expect((await q.newest()).summary).toBe("undid “added b”");
  expect((await q.commit(await idOf(q, "added b"))).undone).not.toBeNull();
});

test("of many files one that was undone is not the whole", async () => {
  const p = await project([], {
    welcome: [
      { name: "doc-main.md", content: "1" },
      { name: "doc-a.md", content: "1" },
    ],
  });
  const [first] = (await p.history()).commits;
  await p.turnBack("undo", first?.id ?? "", "vibey/doc-a.md");
  expect(await p.newest()).toMatchObject({ summary: expect.stringMatching(/^undid “docs: added .*” in vibey\/doc-a\.md$/) });
  expect((await p.commit(first?.id ?? "")).undone).toBeNull();
});

test("an undo over which everything was put back holds no more, until that is undone, too", async () => {
  const p = await three();
  const all = await idOf(p, "added c");
  await undo(p, "added b");
  await p.turnBack("restore", all);
  const restored = (await p.newest()).id;
  expect((await p.commit(await idOf(p, "added b"))).undone).toBeNull();
  expect((await p.texts())["b"]).toBe("1");
  await p.turnBack("undo", restored);
  expect((await p.commit(await idOf(p, "added b"))).undone).not.toBeNull();
  expect((await p.texts())["b"]).toBeUndefined();
});

test("an old commit is found undone from any page of the history", async () => {
  const p = await three();
  await undo(p, "added a");
  const c = await idOf(p, "added c");
  const q = await p.again();
  // The newest page is requested first, so the older commits are read later.
  expect(await undone(q, "?limit=1")).toEqual({ "undid “added a”": null });
  expect(await undone(q, `?limit=1&before=${c}`)).toEqual({ "added b": null });
  expect(await undone(q, `?before=${c}`)).toMatchObject({ "added a": "undid “added a”" });
  await undo(q, "added b");
  expect(await undone(q, `?before=${c}`)).toMatchObject({ "added a": "undid “added a”", "added b": "undid “added b”" });
});
