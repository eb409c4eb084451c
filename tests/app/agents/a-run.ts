import type { RunView } from "../../../src/protocol/index.ts";

const dialogId = "20261121-201105-orchestrator";

/** A run of one agent, which has just started. */
export const aRun: RunView = {
  runId: dialogId,
  file: "agents/orchestrator.md",
  title: "Make a page about tides.",
  started: "2026-11-21T20:11:05.000Z",
  state: "running",
  pausedBy: null,
  running: 1,
  queued: 0,
  asking: 0,
  tokens: 0,
  limits: { agents: 3, depth: 5, fanout: 10, tokens: 500_000 },
  agents: [
    { dialogId, parent: null, file: "agents/orchestrator.md", title: "Make a page", depth: 0, state: "running", stop: null, tokens: 0 },
  ],
};
