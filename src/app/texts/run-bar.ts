import { counted } from "./counted.ts";

export const runs = "Runs";
export const agent = "Agent";
export const run = "Run";
/** In the list of agents: what the button starts. */
export const runFile = (file: string) => `Run ${file}`;
export const task = (name: string) => `What should the ${name} do?`;
export const howFar = "Permissions";
export const ask = "Ask me";
export const askHint = "Agents ask before each use of a tool, unless main allows it.";
export const freely = "Run freely";
export const allowedAnother = (file: string) => `${file} changed, or you chose another agent. Choose “Run freely” again to allow this one.`;
export const newerRun = "A newer run has begun.";
export const showNewer = "Show it";
/** `hash`: the first digits of the hash of the shown file. */
export const freelyHint = (file: string, hash: string, tools: string) =>
  `${file} (${hash}), and the agents that it starts, use these without asking: ${tools}. You can pause or stop them.`;
export const budgets = "Limits";
export const atOnce = "Agents at one time";
export const limitNames = {
  tokens: "Tokens",
  agents: atOnce,
  fanout: "Agents that one agent may start",
  depth: "Depth",
} as const;
/** The heading of the limits of a started run. */
export const limitsNow = (agents: number, depth: number) => `Limits: ${agents} at one time, depth ${depth}`;
export const limitsHint = "Changes apply to agents that start from now on. Running agents finish their step.";
export const notNumber = "Enter a whole number.";
export const demo = "Play a demo run";
export const demoHint = "Five scripted agents make a page. No key needed.";
export const demoTask = "Make a page about tides.";
export const noAgents = "To run a team of agents, add their files in agents/, or try the demo.";
/** The file of the demo's first agent. */
export const demoFile = `---
name: orchestrator
description: Leads a small team that makes a page
---

You lead. Start researchers for what has to be found out, a writer for the page, and see that the page is finished.
`;

/** "3 agents running, 2 in queue, 147K tokens used". */
export const summary = (running: number, queued: number, tokens: string) =>
  `${counted(running, "agent")} running, ${queued} in queue, ${tokens} tokens used`;
export const asking = (count: number) => (count === 1 ? "1 asks you" : `${count} ask you`);
export const ofTokens = (tokens: string) => `of ${tokens}`;
export const tokensMeter = "Tokens used";
export const pausedByYou = "paused";
export const pausedByTokens = "Stopped: the token limit was reached. Resume adds the same number again.";
export const pause = "Pause";
export const resume = "Resume";
export const killAll = "Kill all";
export const clearQueue = "Clear queue";
export const graph = "Show graph";
export const dialog = "Open dialog";
export const actions = "Run controls";
export const notDone = (why: string) => `That didn't work: ${why}`;
