import { expect, test } from "vitest";
import { limits } from "../../src/protocol/limits.ts";
import { hostileLines } from "./hostile-output.ts";
import { commandCall, goesOn, outcome, startCase } from "./engine.ts";
import { onWires } from "./on-wires.ts";
import type { WireReply } from "../stand-in/wire.ts";

const done: WireReply = { blocks: [{ text: "Done." }] };
const two: WireReply = { blocks: [commandCall("a", "ls"), commandCall("b", "pwd")] };
const stdout = (text: string) => (JSON.parse(text) as { stdout: string }).stdout;

onWires("17. two calls, one decided: its result is stored, and nothing is asked before both are settled", async (name) => {
  const one = await startCase(name);
  one.wire.play(two, done);
  await one.say("Go");
  await one.decide({ a: "approve" });
  expect(one.wire.requests).toHaveLength(1);
  expect((await one.shown()).slice(3)).toEqual([
    expect.stringMatching(/^run_command\[a\] .* approved -> .*"stdout":"ls\\n"/),
    'run_command[b] {"command":"pwd"} undecided',
  ]);
  expect([await one.status(), one.commands]).toEqual(["waiting", ["ls"]]);
  await one.decide({ b: "approve" });
  expect(one.commands).toEqual(["ls", "pwd"]);
  expect(one.sent().flatMap((sent) => ("result" in sent ? [sent.result] : []))).toEqual(["a", "b"]);
  await goesOn(one);
});

onWires("18. one denied: an error result that says so, next to the other's", async (name) => {
  const one = await startCase(name);
  one.wire.play(two);
  await one.say("Go");
  await one.decide({ a: "approve", b: "deny" });
  expect([one.wire.requests.length, one.commands, await one.status()]).toEqual([1, ["ls"], "waiting"]);
  const sent = await goesOn(one);
  expect(sent.slice(0, -3)).toEqual([{ user: "Go" }, expect.objectContaining({ call: "a" }), expect.objectContaining({ call: "b" })]);
  expect(sent.slice(-3, -1)).toEqual([
    { result: "a", text: expect.stringContaining("ls") as string },
    { result: "b", text: expect.stringMatching(/denied/) as string },
  ]);
});

onWires("18. denied with a word: the results first, then the word", async (name) => {
  const one = await startCase(name);
  one.wire.play(two, done);
  await one.say("Go");
  await one.decide({ a: "deny", b: "deny" }, "Not now.");
  expect(one.commands).toEqual([]);
  expect(one.sent().slice(3)).toEqual([
    { result: "a", text: expect.stringMatching(/denied/) as string },
    { result: "b", text: expect.stringMatching(/denied/) as string },
    { user: "Not now." },
  ]);
  const { body } = one.wire.requests.at(-1) ?? {};
  if (name === "messages") expect(body.messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "user"]);
});

onWires("19. a word while a call is undecided is not taken, and nothing is sent", async (name) => {
  const one = await startCase(name);
  one.wire.play(two);
  await one.say("Go");
  const { dialogId } = await one.until(() => true);
  const answer = await one.ask("PUT", "/dialog", { dialogId, prompt: "And?" });
  expect([answer.status, one.wire.requests.length]).toEqual([409, 1]);
  expect(await one.markdown()).not.toContain("And?");
});

onWires("19. an edited file in which the human spoke over an undecided call: it counts as not run, results first", async (name) => {
  const one = await startCase(name, { main: "> Authorized: run_command\n" });
  one.wire.play({ blocks: [commandCall("a", "ls")] }, done);
  await one.say("Go");
  await one.edit((markdown) => markdown.replace(/Decision: approved[\s\S]*?\n---/, "---"));
  const sent = await goesOn(one);
  expect(sent.slice(0, 3)).toEqual([
    { user: "Go" },
    { call: "a", name: "run_command", input: { command: "ls" } },
    { result: "a", text: expect.stringMatching(/not run/) as string },
  ]);
  expect(one.commands).toEqual(["ls"]);
});

onWires("20. a reload with an undecided call asks again and runs nothing by itself", async (name) => {
  const one = await startCase(name);
  one.wire.play({ blocks: [commandCall("a", "ls")] }, done);
  await one.say("Go");
  const again = await one.reload();
  const { status, messages } = await again.until(() => true);
  expect([status, again.commands, again.wire.requests.length]).toEqual(["waiting", [], 1]);
  expect(messages.at(-1)?.parts).toMatchObject([{ kind: "call", call: { id: "a", state: "pending" } }]);
  await again.decide({ a: "approve" });
  expect(again.commands).toEqual(["ls"]);
  await goesOn(again);
});

onWires("21. a reload while a command ran: marked as interrupted, and never run again", async (name) => {
  const one = await startCase(name, { main: "> Authorized: run_command\n", run: () => new Promise(() => {}) });
  one.wire.play({ blocks: [commandCall("a", "ls")] });
  const turn = one.ask("POST", "/dialog", { provider: one.wire.provider, model: one.wire.model, slug: "work", prompt: "Go" });
  await one.until(({ activity }) => activity?.kind === "running");
  const again = await one.reload();
  expect((await again.shown()).slice(3)).toEqual([
    'run_command[a] {"command":"ls"} approved -> {"success":false,"error":"interrupted: this may or may not have run"}',
    "Stop: interrupted",
  ]);
  const sent = await goesOn(again);
  expect(sent).toContainEqual({ result: "a", text: expect.stringContaining("may or may not have run") as string });
  expect(again.commands).toEqual(["ls"]);
  await (await turn).body?.cancel();
});

onWires("22. results that come in another order are sent in the order of the calls", async (name) => {
  const one = await startCase(name);
  one.wire.play({ blocks: [commandCall("a", "1"), commandCall("b", "2"), commandCall("c", "3")] }, done);
  await one.say("Go");
  for (const id of ["c", "b", "a"]) await one.decide({ [id]: "approve" });
  expect(one.commands).toEqual(["3", "2", "1"]);
  const results = one.sent().flatMap((sent) => ("result" in sent ? [[sent.result, stdout(sent.text)]] : []));
  expect(results).toEqual([
    ["a", "1\n"],
    ["b", "2\n"],
    ["c", "3\n"],
  ]);
  await goesOn(one);
});

onWires("23. a command without output, and a result that an edit left empty, are both something on the wire", async (name) => {
  const one = await startCase(name, { main: "> Authorized: run_command\n", run: async () => outcome("") });
  one.wire.play({ blocks: [commandCall("a", "true")] }, done);
  await one.say("Go");
  const [result] = one.sent().flatMap((sent) => ("result" in sent ? [sent.text] : []));
  expect(stdout(result ?? "")).toBe("");
  await one.edit((markdown) => markdown.replace(/Result:\n\n {4}.*\n/, 'Result:\n\n    ""\n'));
  expect(await goesOn(one)).toContainEqual({ result: "a", text: "(no output)" });
});

onWires("24. a huge output stands whole in the file, and on the wire cut with a mark, the same each time", async (name) => {
  const huge = `begin ${"0123456789".repeat(20_000)} end`;
  const one = await startCase(name, { main: "> Authorized: run_command\n", run: async () => outcome(huge) });
  one.wire.play({ blocks: [commandCall("a", "cat")] }, done);
  await one.say("Go");
  expect(await one.markdown()).toContain(huge);
  const [first] = one.sent().filter((sent) => "result" in sent);
  expect(first?.text.length).toBeLessThanOrEqual(limits.resultOnWire);
  expect(first?.text).toMatch(/begin .* characters are left out here[\s\S]* end/s);
  expect(await goesOn(one)).toContainEqual(first);
});

onWires("25. an output that looks like structure comes back as it was", async (name) => {
  const output = hostileLines.join("\n");
  const one = await startCase(name, { main: "> Authorized: run_command\n", run: async () => outcome(output) });
  one.wire.play({ blocks: [commandCall("a", "cat")] }, done);
  await one.say("Go");
  const [result] = one.sent().flatMap((sent) => ("result" in sent ? [sent.text] : []));
  // Inside a result the command's output is unchanged, byte for byte; a lone surrogate is escaped.
  expect(stdout(result ?? "")).toBe(output);
  expect((await one.shown()).filter((word) => /^(user|assistant):$/.test(word))).toEqual(["user:", "assistant:", "assistant:"]);
  await goesOn(one);
});

onWires("27. an endless loop of calls ends at the limit, and the human says whether it goes on", async (name) => {
  const one = await startCase(name, { main: "> Authorized: run_command\n> Limit: requests 3\n" });
  let number = 0;
  const again = (): WireReply => ({ blocks: [commandCall(`c${(number += 1)}`, "ls")] });
  one.wire.play(again, again, again);
  await one.say("Go");
  expect([one.wire.requests.length, one.commands.length, await one.status()]).toEqual([3, 3, "waiting"]);
  expect((await one.shown()).at(-1)).toMatch(/^Stop: limit /);
  await goesOn(one);
});

test("27. there is a limit without a word of the human's too", () => {
  expect(limits.requestsPerTurn).toBeGreaterThan(0);
});
