import { type CostLimit, costLimitOf } from "../cost/limit.ts";
import { docLimits } from "../../dialog/doc-authority.ts";
import { readCommandLimit } from "../../dialog/ids.ts";
import { readRunLimit, type RunLimitName, type RunLimits } from "../../dialog/run.ts";
import { limits } from "../../protocol/limits.ts";

export type LimitName = "agents" | "depth" | "launches" | "requests" | "command";

export interface LimitInForce {
  readonly value: number;
  readonly from: "doc-main.md" | "default";
}

export interface LimitsInForce extends Readonly<Record<LimitName, LimitInForce>> {
  /** The project's spending limit; omitted if there is none. */
  readonly cost?: CostLimit;
  /** Default limits of a run that sets none of its own. */
  readonly run: RunLimits;
}

/** A name, one space, a whole number. Ignore numbers too large to be a real limit. */
const LINE = /^(agents|depth|launches|requests) (\d{1,15})$/;

/**
 * The limits in doc-main.md, or else Vibey's defaults. The last line that names a limit counts. A line that can't be read, or that names a limit
 * of another version of Vibey, has no effect. `main` is the doc's text. Null if there is none.
 */
export function limitsOf(main: string | null): LimitsInForce {
  const said = new Map<string, LimitInForce>();
  const ofRuns = new Map<RunLimitName, number>();
  for (const line of main === null ? [] : docLimits(main)) {
    const [, name, digits] = LINE.exec(line) ?? [];
    const command = readCommandLimit(line);
    const run = readRunLimit(line);
    if (run) ofRuns.set(run.name, run.value);
    if (name !== undefined) said.set(name, { value: Number(digits), from: "doc-main.md" });
    else if (command !== null) said.set("command", { value: command, from: "doc-main.md" });
  }
  const cost = costLimitOf(main);
  const limit = (name: LimitName, value: number): LimitInForce => said.get(name) ?? { value, from: "default" };
  return {
    agents: limit("agents", limits.agents),
    depth: limit("depth", limits.depth),
    launches: limit("launches", limits.launches),
    requests: limit("requests", limits.requestsPerTurn),
    // In seconds.
    command: limit("command", limits.commandMs / 1000),
    run: {
      agents: ofRuns.get("agents") ?? limits.runAgents,
      depth: ofRuns.get("depth") ?? limits.runDepth,
      fanout: ofRuns.get("fanout") ?? limits.runFanout,
      tokens: ofRuns.get("tokens") ?? limits.runTokens,
    },
    ...(cost === null ? {} : { cost }),
  };
}

/** Where a limit is set, for a user or agent who was stopped by it. */
export function limitSource(name: LimitName, { value, from }: LimitInForce): string {
  return from === "doc-main.md" ? `doc-main.md: > Limit: ${name} ${value}` : `Vibey's own limit; in doc-main.md: > Limit: ${name} <number>`;
}
