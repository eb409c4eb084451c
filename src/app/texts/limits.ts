import type { LimitsAnswer } from "../../protocol/index.ts";
import { counted } from "./counted.ts";

export type LimitName = LimitsAnswer["limits"][number]["name"];

/** What a limit says. `value`: agents, levels, seconds or times, as the name has it. */
export function limitWords(name: LimitName, value: number): string {
  switch (name) {
    case "agents":
      if (value === 0) return "No agent runs; all wait for their turn.";
      return `At most ${counted(value, "agent")} ${value === 1 ? "runs" : "run"} at a time; the others wait for their turn.`;
    case "depth":
      return value === 0 ? "Agents launch no agents." : `Agents launch agents ${counted(value, "level")} deep at most.`;
    case "launches":
      return `Agents launch at most ${counted(value, "agent")} an hour; further ones wait for their turn.`;
    case "command":
      return `A command runs ${counted(value, "second")} at most, unless its dialog says otherwise.`;
    case "requests":
      return `A turn asks the provider at most ${counted(value, "time")}; then the agent waits for you.`;
  }
}
