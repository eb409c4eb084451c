import type { LimitsAnswer } from "../../protocol/index.ts";
import { counted } from "./counted.ts";

export type LimitName = LimitsAnswer["limits"][number]["name"];

/** What a limit says. `value`: agents, levels, seconds or times, depending on the name. */
export function limitWords(name: LimitName, value: number): string {
  switch (name) {
    case "agents":
      if (value === 0) return "No agents run. All of them stay in the queue.";
      return `Up to ${counted(value, "agent")} at a time. The rest wait in the queue.`;
    case "depth":
      return value === 0 ? "Agents can't launch other agents." : `Agents can launch agents up to ${counted(value, "level")} deep.`;
    case "launches":
      return `Agents can launch up to ${counted(value, "agent")} per hour. The rest wait in the queue.`;
    case "command":
      return `Commands can run for up to ${counted(value, "second")}, unless a dialog sets its own limit.`;
    case "requests":
      return `Up to ${counted(value, "request")} to the provider per turn. Then the agent waits for you.`;
  }
}
