import { expect, test } from "vitest";
import { backgroundState, backgroundWords } from "../../../src/app/dialogs/background-format.ts";
import { longerLimits, parseSeconds, stoppedAfter } from "../../../src/app/dialogs/time-limit.ts";
import type { BackgroundView, PartView } from "../../../src/protocol/index.ts";
import type { Json } from "../../../src/dialog/model.ts";

const call = (result: Json): PartView => ({
  kind: "call",
  call: { id: "1", tool: "run_command", input: {}, state: "finished", started: null, allowedBy: "human", result, hash: "1", before: null },
});

test.each(["0", "3601", "", "-1", "1.5", "1e2", "ten"])("%j is no time limit", (typed) => {
  expect(parseSeconds(typed).ok).toBe(false);
});
test.each([
  ["1", 1],
  [" 3600 ", 3_600],
])("%j is one", (typed, seconds) => {
  expect(parseSeconds(typed)).toEqual({ ok: true, seconds });
});

test("the time limit that stopped a command is read from its result", () => {
  const stopped = call({ success: false, error: "stopped after 30 s", limit: "time: 30 s", ms: 30_001 });
  expect(stoppedAfter([{ parts: [stopped] }])).toBe(30);
  expect(stoppedAfter([{ parts: [stopped] }, { parts: [{ kind: "text", text: "Hm." }, call({ success: true })] }])).toBe(30);
  expect(stoppedAfter([{ parts: [call({ success: true, limit: "output: 1 MB" }), call(null), call("time: 3 s")] }])).toBeNull();
  expect(stoppedAfter([])).toBeNull();
});
test("only what is longer than what holds now is offered", () => {
  expect(longerLimits(30, 30)).toEqual([120, 600]);
  expect(longerLimits(120, 120)).toEqual([600]);
  expect(longerLimits(600, 600)).toEqual([]);
  expect(longerLimits(30, 120)).toEqual([]);
  expect(longerLimits(null, 30)).toEqual([]);
});

const background = (state: BackgroundView["state"], exitCode: number | null = null) => ({ state, exitCode, started: "no time" });
test("commands in the background, in words", () => {
  expect(backgroundWords([background("running"), background("ended"), background("stopped")])).toBe("1 running, 2 ended");
  expect(backgroundWords([background("running"), background("running")])).toBe("2 running");
  expect(backgroundState(background("running"))).toBe("running since no time");
  expect(backgroundState(background("ended", 0))).toBe("ended");
  expect(backgroundState(background("ended", 2))).toBe("exited with code 2");
  expect(backgroundState(background("stopped"))).toBe("stopped");
});
