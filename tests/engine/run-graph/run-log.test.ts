import { expect, test } from "vitest";
import type { RunLogAnswer, RunLogRow } from "../../../src/protocol/index.ts";
import { soon } from "../../soon.ts";
import { deferred } from "../deferred.ts";
import { type Bench, call, ended, say, stopped } from "../harness.ts";
import { change, entry, run, spawn, start, states, team, until } from "../scheduler/team.ts";

/** `activation <section of the activation> <what>`, oldest first. */
async function log(b: Bench, agent: string, types: string): Promise<string[]> {
  const { runId } = await run(b);
  const answer = await b.ask("GET", `/agents/log?run=${runId}&agent=agents/${agent}.md&type=${types}&limit=1000`);
  const { entries } = (await answer.json()) as RunLogAnswer;
  return entries.toReversed().map(outline);
}

function outline({ type, activationId, data }: RunLogRow): string {
  const from = typeof data["from"] === "string" ? ` from ${data["from"].slice("20261126-090000-".length)}` : "";
  const said = [data["input"], data["message"], data["code"]].find((one) => typeof one === "string");
  return `${type} ${activationId.slice(activationId.indexOf("/") + 1)}${from}${data["to"] === "user" ? " to the user" : ""}: ${said ?? ""}`;
}

test("signals that are answered together begin one activation, one that wakes no one begins none, and the root's goes to the user", async () => {
  const gate = deferred<void>();
  const late = deferred<void>();
  const b = await team({
    orchestrator: [
      [spawn("a", "two"), ended],
      async function* () {
        await gate.promise;
        yield { type: "text", text: "I wait." };
        yield ended;
      },
      [call("u", "signal_parent", { message: "Both are there." }), ended],
      async function* (_request, signal) {
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
        yield stopped({ kind: "aborted" });
      },
    ],
    two: [
      [call("s", "signal_parent", { message: "One." }), call("t", "signal_parent", { message: "Two." }), ended],
      async function* () {
        await late.promise;
        yield call("v", "signal_parent", { message: "Late." });
        yield ended;
      },
    ],
  });
  const runId = await start(b);
  await soon(async () => expect(await log(b, "two", "tool_result")).toHaveLength(2));
  gate.resolve();
  await soon(async () => expect(await log(b, "orchestrator", "signal")).toHaveLength(3));
  const together = [
    "activation 0: Write it.",
    "signal 3 from two: [Signal from two.md]: One.",
    "signal 4 from two: [Signal from two.md]: Two.",
    "activation 4 from two: [Signal from two.md]: One.\n\n[Signal from two.md]: Two.",
    "signal 4 from orchestrator to the user: Both are there.",
  ];
  expect(await log(b, "orchestrator", "activation,signal")).toEqual(together);
  await change(b, { dialogId: runId, status: "aborted" });
  late.resolve();
  const after = [...together, "signal 7 from two: [Signal from two.md]: Late."];
  await soon(async () => expect(await log(b, "orchestrator", "activation,signal")).toEqual(after));
  expect(b.reported).toEqual([]);
});

test("the log says that an agent has new instructions, and what is wrong with the front matter of the first file", async () => {
  const text = "---\nname: orchestrator\nmodel: [\n---\nYou lead.";
  const b = await team({ orchestrator: [say("I wait.")] }, { text });
  const runId = await start(b);
  await until(b, "completed");
  expect(await log(b, "orchestrator", "warning")).toEqual([
    "warning 0: The value of model isn't valid YAML; it was read as plain text.",
    "warning 0: no progress: no call ran in this response",
  ]);
  expect(await states(b)).toEqual(["orchestrator.md completed"]);
  await b.ask("PUT", `/deed/${entry}`, "---\nname: orchestrator\n---\nYou answer in verse.");
  await change(b, { dialogId: runId, apply: true });
  await soon(async () => expect((await log(b, "orchestrator", "warning")).slice(2)).toEqual(["warning 0: definition"]));
  expect(b.reported).toEqual([]);
});
