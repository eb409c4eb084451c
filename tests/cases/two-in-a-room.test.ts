import { expect } from "vitest";
import type { DialogAnswer, DialogListing, StatusAnswer } from "../../src/protocol/index.ts";
import type { Recorded } from "../stand-in/serve.ts";
import type { WireReply } from "../stand-in/wire.ts";
import { soon } from "../soon.ts";
import { type Case, startCase } from "./engine.ts";
import { onWires } from "./on-wires.ts";

const files = {
  "agent-coder.md": "---\ntools: [vfs_read]\n---\nYou are Coder.\n",
  "agent-critic.md": "---\ntools: []\n---\nYou are Critic.\n",
};

/** The agent that sends the request. */
const agentIn = ({ body }: Recorded): "coder" | "critic" => (JSON.stringify(body).includes("You are Coder.") ? "coder" : "critic");

const users = (one: Case, request: Recorded): string[] => one.wire.sent(request).flatMap((part) => ("user" in part ? [part.user] : []));

/** Coder reads main first and then answers; Critic answers at once. Both repeat the last question. */
function play(one: Case, request: Recorded): WireReply {
  const sent = one.wire.sent(request);
  if (agentIn(request) === "coder" && !sent.some((part) => "result" in part))
    return { blocks: [{ call: "vfs_read", id: "call_1", input: { path: "vibey/doc-main.md" } }], end: "calls" };
  const asked = users(one, request).at(-1)?.split("\n").at(-1);
  return { blocks: [{ text: `${agentIn(request)} answers: ${asked}` }] };
}

onWires("two agents in one room: both answer, neither sees the other's answer, and the next one is told of both", async (name) => {
  // All waits are short except for the response limit of 120 seconds, which is never reached.
  const one = await startCase(name, { later: (then, ms) => void (ms < 60_000 && setImmediate(then)) });
  one.wire.play(...Array.from({ length: 4 }, () => (request: Recorded) => play(one, request)));
  for (const [file, content] of Object.entries(files)) await one.ask("POST", `/file/${file}`, { content });
  const made = await one.ask("POST", "/dialog/new", { provider: one.wire.provider, model: one.wire.model, slug: "scores", room: "Scores" });
  const { dialogId } = (await made.json()) as StatusAnswer;
  const room = async () => (await (await one.ask("GET", `/dialog/${dialogId}`)).json()) as DialogAnswer;
  const answersIn = ({ messages }: DialogAnswer) =>
    messages.flatMap(({ from, parts }) =>
      from?.kind === "agent" ? [`${from.agent}: ${parts.map((part) => (part.kind === "text" ? part.text : "")).join("")}`] : [],
    );
  const say = (prompt: string) => one.ask("PUT", "/dialog", { dialogId, prompt, provider: one.wire.provider, model: one.wire.model });

  await (await say("@coder @critic keep old scores?")).text();
  await soon(async () => expect(answersIn(await room())).toHaveLength(2));
  expect(answersIn(await room()).toSorted()).toEqual([
    "coder: coder answers: keep old scores?",
    "critic: critic answers: keep old scores?",
  ]);
  for (const request of one.wire.requests) expect(JSON.stringify(users(one, request))).not.toContain("answers:");
  // Coder gets only the tool that its file lists.
  const [first] = one.wire.requests.filter((request) => agentIn(request) === "coder");
  expect(JSON.stringify(first?.body)).toContain('"vfs_read"');
  expect(JSON.stringify(first?.body)).not.toContain('"run_command"');

  await (await say("@critic and for how long?")).text();
  await soon(async () => expect(answersIn(await room())).toHaveLength(3));
  const [context] = users(one, one.wire.requests.at(-1) ?? expect.fail());
  expect(context).toContain("[Owner]: @coder @critic keep old scores?");
  expect(context).toContain("[Coder (AI)]: coder answers: keep old scores?");
  expect(context).toContain("[you, earlier]: critic answers: keep old scores?");
  expect(context).toContain("The person asking is Owner (role: owner).");
  expect(answersIn(await room()).at(-1)).toBe("critic: critic answers: and for how long?");

  const all = (await (await one.ask("GET", "/dialogs")).json()) as DialogListing[];
  expect(all.map(({ status }) => status).toSorted()).toEqual(["done", "done", "done", "waiting"]);
  expect(one.wire.requests).toHaveLength(4);
  expect(one.wire.requests.flatMap(({ refused }) => (refused ? [refused.message] : []))).toEqual([]);
});
