import { expect, test, vi } from "vitest";
import type { HistoryStore } from "../../../../src/fs/history/store.ts";
import { call, ended, say } from "../../harness.ts";
import { project } from "./project.ts";

vi.mock("../../../../src/protocol/limits.ts", async (original) => {
  const { limits } = await original<typeof import("../../../../src/protocol/limits.ts")>();
  return { limits: { ...limits, historyHeldBytes: 10 } };
});

test("of what is replaced while the history is paused only so much is kept; what is lost makes no change one's alone, and is told once", async () => {
  let fails = false;
  const around = (store: HistoryStore): HistoryStore => ({
    ...store,
    write: async (batch, epoch) =>
      fails && batch.commit ? { ok: false, failure: { kind: "full", message: "" } } : store.write(batch, epoch),
  });
  const welcome = [{ name: "doc-main.md", content: "> Authorized: write_file\n" }];
  const writes = (name: string) => [[call(name, "write_file", { path: name, content: "agent\n" }), ended] as const, say("Done.")];
  const p = await project(["x", "y", "z"].flatMap(writes), { around, welcome });
  await p.history();
  fails = true;
  const told: string[] = [];
  const events = await p.ask("GET", "/events");
  const listening = events.body?.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write: (text) => void told.push(text) }));
  listening?.catch(() => undefined);
  for (const name of ["x", "y", "z"]) {
    await p.put(name, new Uint8Array(20).fill(255));
    await (await p.ask("POST", "/dialog", { provider: "claude", prompt: "Go" })).text();
  }
  fails = false;
  await p.pass(60_000);
  const { commits } = await p.history();
  const changed = commits
    .toReversed()
    .map(({ by, summary }) => `${summary}: ${by.kind}${by.kind === "agent" && by.dialogId === "" ? " or another" : ""}`);
  expect(changed).toEqual([
    "docs: added main.md: vibey",
    "added x: human",
    "edited x: agent",
    "added y: agent or another",
    "added z: agent or another",
  ]);
  expect(told.join("").match(/can't keep up/g)).toHaveLength(1);
});
