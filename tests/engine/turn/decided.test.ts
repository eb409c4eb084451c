import { expect, test } from "vitest";
import type { DialogAnswer } from "../../../src/protocol/index.ts";
import { type Bench, bench, call, ended, say } from "../harness.ts";

async function twoCalls(): Promise<{ b: Bench; put: (body: Record<string, unknown>) => Promise<Response> }> {
  const write = (id: string) => call(id, "write_file", { path: `${id}.txt`, content: "x\n" });
  const b = await bench([[write("a"), write("b"), ended], say("Done.")]);
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  const { id } = await b.dialog();
  const shown = (await (await b.ask("GET", `/dialog/${id}`)).json()) as DialogAnswer;
  const hashes = Object.fromEntries(
    shown.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [[part.call.id, part.call.hash]] : []))),
  );
  return { b, put: (body) => b.ask("PUT", "/dialog", { dialogId: id, hashes, ...body }) };
}

const calls = async (b: Bench) => (await b.dialog()).markdown.match(/^(?:Tool request|Decision): .*$/gm);

test.each([
  ["approve", "deny", "approved"],
  ["deny", "approve", "denied"],
] as const)("after %s, %s is refused with the decision that was made, and nothing of it is stored", async (first, second, made) => {
  const { b, put } = await twoCalls();
  await (await put({ decisions: `a: ${first}` })).text();
  const late = await put({ decisions: `a: ${second}\nb: approve`, authorizations: "allow write_file" });
  expect(late.status).toBe(409);
  expect(await late.json()).toEqual({
    error: `Already decided: a was ${made}. Nothing was stored.`,
    decided: [{ id: "a", decision: made }],
  });
  expect(await calls(b)).toEqual(["Tool request: write_file [a]", `Decision: ${made}`, "Tool request: write_file [b]"]);
  expect((await b.dialog()).markdown).not.toContain("Authorized");
});

test.each([
  ["as it is", undefined, { path: "b.txt", content: "y" }],
  ["with changes", { path: "b.txt", content: "y" }, undefined],
  ["with other changes", { path: "b.txt", content: "y" }, { path: "c.txt", content: "y" }],
])("of two approvals with different arguments, the second is refused, and the same one is not: first %s", async (_, first, second) => {
  const { b, put } = await twoCalls();
  const approve = (input: object | undefined) => put({ decisions: "a: approve", ...(input ? { changes: { a: input } } : {}) });
  const answers = await Promise.all([approve(first), approve(second), approve(first)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 409, 200]);
  expect(await answers[1]?.json()).toEqual({
    error: "Already decided: a was approved with other arguments. Nothing was stored.",
    decided: [{ id: "a", decision: "approved", withOtherArguments: true }],
  });
  expect(await calls(b)).toEqual([
    "Tool request: write_file [a]",
    `Decision: approved${first ? " with changes" : ""}`,
    "Tool request: write_file [b]",
  ]);
});

test("a late denial is refused after the turn went on, too", async () => {
  const { put } = await twoCalls();
  await (await put({ decisions: "a: approve\nb: approve" })).text();
  const late = await put({ decisions: "b: deny", prompt: "Not that one" });
  expect([late.status, await late.json()]).toMatchObject([409, { decided: [{ id: "b", decision: "approved" }] }]);
});

test("the same decision a second time says nothing", async () => {
  const { b, put } = await twoCalls();
  await (await put({ decisions: "a: approve" })).text();
  expect((await put({ decisions: "a: approve" })).status).toBe(200);
  expect(await calls(b)).toEqual(["Tool request: write_file [a]", "Decision: approved", "Tool request: write_file [b]"]);
});

test("arguments that the user leaves out are told as null, also where every object has something of that name", async () => {
  const b = await bench([
    [call("a", "run_command", { command: "ls", toString: "x", constructor: { of: "y" }, note: "n" }), ended],
    say("Done."),
  ]);
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  const { id } = await b.dialog();
  await (await b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve", changes: { a: { command: "ls -l" } } })).text();
  expect(b.commands).toEqual(["ls -l"]);
  const said = '{"command": "ls -l", "toString": null, "constructor": null, "note": null}';
  expect((await b.dialog()).markdown).toContain(`Result:\n\n    {"changedByUser": ${said}, "success": true, `);
  // The next engine reads that the call has run.
  expect((await (await b.reload()).dialog()).markdown).not.toContain("interrupted");
});
