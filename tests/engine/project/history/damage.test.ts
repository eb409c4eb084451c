import { expect, test } from "vitest";
import { project, type Project } from "./project.ts";

/** A project in which the first content of `a` can no longer be read. */
async function damaged(how: "bytes" | "gone"): Promise<{ p: Project; first: string; second: string }> {
  const p = await project();
  await p.put("a", "1\n");
  await p.put("b", "b1\n");
  const first = (await p.newest()).id;
  await p.put("a", "2\n");
  await p.put("b", "b2\n");
  await p.history();
  const [change] = p.memory.changes.at(-2) ?? [];
  if (change?.path !== "a" || change.before === null) throw new Error("another commit than was meant");
  if (how === "bytes") p.memory.objects.set(change.before, new Uint8Array([1, 2, 3]));
  else p.memory.objects.delete(change.before);
  return { p, first, second: p.memory.commits.at(-2)?.id ?? "" };
}

test.each([
  ["bytes", "can't be decompressed"],
  ["gone", "is not in the history"],
] as const)("a damaged content (%s) is named with its file, and keeps nothing else from coming back", async (how, why) => {
  const { p, first, second } = await damaged(how);
  for (const url of [`/history/${first}/file/a`, `/history/${second}/diff/a`]) {
    const answer = await p.ask("GET", url);
    const { error } = (await answer.json()) as { error: string };
    expect([answer.status, error]).toEqual([500, expect.stringMatching(/^a is damaged in the history: /)]);
    expect(error).toContain(why);
  }
  expect(await (await p.ask("GET", `/history/${first}/file/b`)).text()).toBe("b1\n");
  expect(await p.lines("?limit=2")).toEqual(["human: edited b", "human: edited a"]);

  expect(await p.turnBack("undo", second)).toMatchObject({ ok: true, changed: [], kept: [], damaged: ["a"] });
  expect(await p.turnBack("restore", first)).toMatchObject({ ok: true, changed: ["b"], kept: [], damaged: ["a"] });
  expect(await p.texts()).toMatchObject({ a: "2\n", b: "b1\n" });
  // Damage in the past doesn't affect later commits.
  await p.put("a", "3\n");
  expect(await p.lines("?limit=1")).toEqual(["human: edited a"]);
  expect(p.reported).toEqual([]);
});

test("an undo that has to merge says what it could not read, and leaves the file", async () => {
  const { p, second } = await damaged("gone");
  await p.put("a", "2\n3\n");
  expect(await p.turnBack("undo", second)).toMatchObject({ ok: true, changed: [], kept: [], damaged: ["a"] });
  expect((await p.texts())["a"]).toBe("2\n3\n");
});
