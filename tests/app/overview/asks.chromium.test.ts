// Decisions in a row of the overview when the engine doesn't accept them.
import { createRoot } from "solid-js";
import { afterEach, expect, test, vi } from "vitest";
import { soon } from "../../soon.ts";
import { createAllAsks } from "../../../src/app/overview/asks.ts";

afterEach(() => vi.unstubAllGlobals());

const call = { id: "ls", tool: "run_command", input: { command: "ls" }, state: "pending", hash: "hash-ls", before: null as string | null };

/** A dialog that asks for one call; `answer` answers the decision. */
async function open() {
  let answer = () => {};
  let calls = [call];
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  vi.stubGlobal("fetch", async (_: string, init?: RequestInit) => {
    if ((init?.method ?? "GET") === "GET") return Response.json({ provider: "demo", cut: false, calls });
    await isAnswered;
    return Response.json({ error: "The engine is busy." }, { status: 409 });
  });
  const failed: string[] = [];
  const { asks, leave } = createRoot((dispose) => ({
    asks: createAllAsks(
      async () => true,
      (id, why) => failed.push(`${id}: ${why}`),
    ).of("d"),
    leave: dispose,
  }));
  await asks.refresh();
  expect(asks.decisions.open()).toHaveLength(1);
  return { asks, leave, failed, answer, reads: (now: readonly (typeof call)[]) => (calls = [...now]) };
}

test("a reason that was not taken is asked for again, with its words", async () => {
  const { asks, leave, failed, answer } = await open();
  asks.setReason("Not in this folder.");
  const denied = asks.deny("Not in this folder.");
  expect([asks.reason(), asks.decisions.open().length]).toEqual([null, 0]);
  answer();
  await denied;
  await soon(() => expect(asks.reason()).toBe("Not in this folder."));
  expect([asks.decisions.problem(), failed]).toEqual(["The engine is busy.", []]);
  leave();
});

test("to a person who has left the overview it is told", async () => {
  const { asks, leave, failed, answer } = await open();
  const denied = asks.deny("");
  leave();
  answer();
  await denied;
  expect(failed).toEqual(["d: The engine is busy."]);
});

test("a reason that is being typed stays when the same calls are read again, and goes when others ask", async () => {
  const { asks, leave, reads } = await open();
  asks.setReason("Not in");
  reads([{ ...call, before: "another text" }]);
  await asks.refresh();
  expect(asks.reason()).toBe("Not in");
  reads([{ ...call, id: "rm", hash: "hash-rm" }]);
  await asks.refresh();
  expect(asks.reason()).toBeNull();
  leave();
});
