import { describe, expect, test } from "vitest";
import { followAwaits } from "../../../src/shell/embedded/node/frame/process/awaits.ts";
import { columnBefore, edited, movedBy } from "../../../src/shell/embedded/node/frame/process/edits.ts";

/** The value stored for an async function after each of its steps, while other code stores its own value in between. */
async function stored(body: string): Promise<readonly unknown[]> {
  let current: unknown;
  const said: unknown[] = [];
  const code = `(async () => {${body}})()`;
  const followed = followAwaits(code);
  if (followed === null) throw new Error("nothing was awaited");
  expect(followed.code.split("\n")).toHaveLength(code.split("\n").length);
  const disturb = setInterval(() => (current = "another's"), 0);
  try {
    current = "mine";
    // oxlint-disable-next-line typescript/no-implied-eval -- the tested function produces code as text.
    const run: unknown = new Function("say", "later", "fail", "each", "__vibey_keep", "__vibey_back", `return ${followed.code}`)(
      () => said.push(current),
      (value: unknown) => new Promise((resolve) => setTimeout(() => resolve(value), 3)),
      () => new Promise((_, reject) => setTimeout(() => reject(new Error("no")), 3)),
      async function* () {
        yield 1;
        await new Promise((resolve) => setTimeout(resolve, 3));
        yield 2;
      },
      () => current,
      (kept: unknown, value: unknown) => {
        current = kept;
        return value;
      },
    );
    current = "the caller's";
    await run;
    return said;
  } finally {
    clearInterval(disturb);
  }
}

describe("what is stored", () => {
  test.each<readonly [body: string, times: number]>([
    [`await later(); say()`, 1],
    [`if ((await later(1)) + (await later(2)) === 3) say()`, 1],
    [`const f = async (x = 1) => await later(x)\nawait f()\nsay()`, 1],
    [`try { await fail() } catch { say() }\nsay()`, 2],
    [`try { try { await fail() } finally { say() } } catch (error) { say() } finally { say() }`, 3],
    [`for await (const x of each()) say()\nsay()`, 3],
    [`for await (const x of each()) { await later(); say() }\nsay()`, 3],
    [`outer: for (const x of [1, 2]) { try { await later(); continue outer } finally { say() } }`, 2],
    [`if (1) try { await fail() } catch { say() } else say()`, 1],
    [`const a = 1\nawait later()\n;[a].forEach(say)\nawait (await later(later()))\nsay()`, 2],
    [`label: for await (const x of each()) { if (x === 1) continue label; await later(); say() }`, 1],
    [`const o = { async m() { await later(); say() }, n: \`\${await later("x")}\` }; await o.m(); say()`, 2],
  ])("is there after %s", async (body, times) => {
    expect(await stored(body)).toEqual(Array.from({ length: times }, () => "mine"));
  });

  test("code that awaits nothing, or can't be read, stays as it is", () => {
    expect(followAwaits("const a = 'await'")).toBeNull();
    expect(followAwaits("async () => { await }")).toBeNull();
  });
});

test("a column is the one that it was before", () => {
  const code = "a;\nb(); await c(d); e\nf";
  const edits = [
    { at: 3, end: 3, text: "xx" },
    { at: 8, end: 13, text: "yiild" },
    { at: 16, end: 17, text: "" },
    { at: 20, end: 20, text: "((" },
  ];
  const now = edited(code, edits);
  const moved = movedBy(code, edits);
  for (const name of "abcef") {
    const [before, after] = [code, now].map((text) => text.slice(0, text.indexOf(name)));
    const line = (after ?? "").split("\n").length;
    const column = (text = ""): number => text.length - text.lastIndexOf("\n");
    expect([name, columnBefore(moved, line, column(after))]).toEqual([name, column(before)]);
  }
});
