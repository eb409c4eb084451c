import { createSignal } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { RunStatus } from "../../../src/app/agents/run/RunStatus.tsx";
import type { RunView } from "../../../src/protocol/index.ts";
import { aRun } from "./a-run.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet
import "../../../src/app/style/index.css";

let dispose = () => {};
afterEach(() => {
  dispose();
  document.body.replaceChildren();
});

test("the buttons of a run stay in place while it counts, asks and pauses", async () => {
  await page.viewport(800, 800);
  const [run, setRun] = createSignal(aRun);
  dispose = render(() => <RunStatus run={run()} again={() => {}} download={() => {}} />, document.body);
  const first = () => document.querySelector(".run-acts button")?.getBoundingClientRect();
  const words = () => document.querySelector("output")?.textContent;
  const before = first();
  expect(before?.height).toBeGreaterThan(0);
  for (const [now, shown] of [
    [
      { ...aRun, running: 3, queued: 14, asking: 2, tokens: 147_000, pausedBy: "user" },
      "3 agents running, 14 in queue, 147K tokens used · 2 ask you · paused",
    ],
    [{ ...aRun, pausedBy: "user" }, "1 agent running, 0 in queue, 0 tokens used · paused"],
    [{ ...aRun, pausedBy: "tokens", tokens: 500_000 }, "1 agent running, 0 in queue, 500K tokens used"],
  ] satisfies readonly (readonly [RunView, string])[]) {
    setRun(now);
    expect([words(), first()?.x, first()?.y]).toEqual([shown, before?.x, before?.y]);
  }
});
