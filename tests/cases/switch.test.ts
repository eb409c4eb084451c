import { expect, onTestFinished, test } from "vitest";
import { parseDialog } from "../../src/dialog/parse.ts";
import { memoryStore } from "../../src/fs/memory.ts";
import { assistant, call, dialog, ran, user } from "../engine/prompt/notation.ts";
import { startWire, type WireReply } from "../stand-in/wire.ts";
import { caseOn, commandCall, goesOn, startCase } from "./engine.ts";
import { onWires } from "./on-wires.ts";
import { startAlone } from "./provider.ts";
import { worldOf } from "./providers.ts";

const done: WireReply = { blocks: [{ text: "Done." }] };

test("78. a dialog goes from one provider to the next and back: each gets a valid history, whatever the ids were", async () => {
  const [claude, openai] = [await startWire("messages"), await startWire("chat")];
  onTestFinished(async () => {
    await claude.close();
    await openai.close();
  });
  const one = await caseOn(claude, worldOf(claude, openai), memoryStore(), { main: "> Authorized: run_command\n" }, [], []);
  await one.ask("PUT", "/provider/openai", { apiKey: openai.key });
  const long = `toolu_${"x".repeat(58)}`;
  claude.play({ blocks: [{ thinking: true }, { text: "First" }, commandCall(long, "ls")] }, done);
  await one.say("On Claude");

  const turns: readonly (readonly [typeof claude, string, string, string, string])[] = [
    [openai, "openai", "gpt-5.5", "On Chat Completions", "/v1/chat/completions"],
    [openai, "openai", "gpt-6.1-sol", "On Responses", "/v1/responses"],
    [claude, "claude", "claude-opus-5-5", "On Claude again", "/v1/messages"],
  ];
  for (const [wire, provider, model, prompt, path] of turns) {
    // An id made only of unusual characters, as some other servers create them.
    wire.play({ blocks: [commandCall(`functions.run:${prompt}`, prompt)] }, done);
    await one.say(prompt, { provider, model });
    expect(wire.requests.filter(({ refused }) => refused)).toEqual([]);
    const last = wire.requests.at(-1);
    if (!last) throw new Error("nothing was sent");
    expect([last.path, last.body.model]).toEqual([path, model]);
    const sent = wire.sent(last);
    const calls = sent.flatMap((each) => ("call" in each ? [each.call] : []));
    expect(sent.flatMap((each) => ("result" in each ? [each.result] : []))).toEqual(calls);
    expect(calls.filter((id) => !/^[a-zA-Z0-9_-]{1,64}$/.test(id) || (path === "/v1/chat/completions" && id.length > 40))).toEqual([]);
  }
  expect(one.commands).toEqual(["ls", "On Chat Completions", "On Responses", "On Claude again"]);
  expect(await one.status()).toBe("done");
});

onWires("79. one dialog in two engines has one writer, and no call runs twice", async (name) => {
  const old = await startCase(name);
  old.wire.play({ blocks: [commandCall("a", "ls")] }, done);
  await old.say("Go");
  const { dialogId } = await old.until(() => true);
  const now = await old.reload();
  const late = await old.ask("PUT", "/dialog", { dialogId, decisions: "a: approve" });
  await late.text();
  await now.decide({ a: "approve" });
  expect(now.commands).toEqual(["ls"]);
  expect(await now.status()).toBe("done");
  await goesOn(now);
});

const worked = dialog(
  user("Please look."),
  assistant("I look.", ran("a", { success: true, stdout: "x\n" }, { command: "ls" }), ran("b", "plain", { command: "pwd" })),
  assistant("There it is.", call("c", { input: { command: "rm" }, decision: "denied" })),
  user("Leave it."),
  assistant("Left."),
  user("Good."),
);

onWires("80. with any one line of the file deleted the request is still valid", async (name) => {
  const one = await startCase(name, { main: "> Authorized: run_command\n" });
  one.wire.play({ blocks: [{ text: "I look." }, commandCall("a", "ls"), commandCall("b", "pwd")] }, done);
  await one.say("Please look.");
  const lines = (await one.markdown()).split("\n");
  const { sentFor } = await startAlone(name);
  for (const at of lines.keys()) {
    const parsed = parseDialog(lines.filter((_line, index) => index !== at).join("\n"));
    const sent = await sentFor(parsed);
    const calls = sent.flatMap((each) => ("call" in each ? [each.call] : []));
    expect(sent.flatMap((each) => ("result" in each ? [each.result] : []))).toEqual(calls);
  }
});

onWires("80. a file cut short inside a call, and a word behind it: the dialog goes on", async (name) => {
  const one = await startCase(name, { main: "> Authorized: run_command\n" });
  one.wire.play({ blocks: [{ text: "I look." }, commandCall("a", "ls")] }, done);
  await one.say("Please look.");
  await one.edit((markdown) => markdown.slice(0, markdown.indexOf("Result:")));
  const again = await one.reload();
  const sent = await goesOn(again);
  expect(sent.slice(0, 3)).toEqual([
    { user: "Please look." },
    { assistant: "I look." },
    { call: "a", name: "run_command", input: { command: "ls" } },
  ]);
  expect(sent[3]).toMatchObject({ result: "a" });
  expect(again.commands).toEqual(["ls"]);
});

onWires("81. the same dialog gives the same bytes", async (name) => {
  const bodies: string[] = [];
  for (const { wire, sentFor } of [await startAlone(name), await startAlone(name)]) {
    await sentFor(worked);
    await sentFor(worked);
    bodies.push(...wire.requests.map(({ raw }) => raw));
  }
  expect(bodies).toHaveLength(4);
  expect(new Set(bodies).size).toBe(1);
});

onWires("81. a dialog that grows only adds, so that what a provider has cached holds, a reload between or not", async (name) => {
  const one = await startCase(name, { main: "> Authorized: run_command\n" });
  one.wire.play({ blocks: [{ text: "I look." }, commandCall("a", "ls")] }, done);
  await one.say("Please look.");
  await goesOn(await one.reload());
  const field = { messages: "messages", chat: "messages", responses: "input" }[name];
  const parts = one.wire.requests.map(({ body }) => body as Record<string, unknown[]>);
  const heads = parts.map((body) => JSON.stringify([body["system"], body["instructions"], body["tools"]]));
  expect(new Set(heads).size).toBe(1);
  const lists = parts.map((body) => JSON.stringify(unmarked(body[field])).slice(0, -1));
  // On Messages, a prompt after a result is added to the result's message, so the end of that message is left open.
  const open = (list: string) => (name === "messages" ? list.replace(/\]\}$/, "") : list);
  for (const [index, list] of lists.slice(0, -1).entries()) expect(lists[index + 1]?.startsWith(open(list))).toBe(true);
});

/** Removes the cache marks: they move along with the dialog and are not part of the cached content. */
function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "cache_control")
      .map(([key, inner]) => [key, unmarked(inner)]),
  );
}
