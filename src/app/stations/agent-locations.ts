import type { DialogEvent } from "../../dialog/events/model.ts";
import type { JsonObject } from "../../dialog/model.ts";
import { type Station, stationOf } from "./station.ts";

/** Where an agent is, and what it is doing there. */
export interface AgentLocation {
  readonly dialogId: string;
  readonly station: Station;
  /** What it works on, in one line; "" if it doesn't say. */
  readonly context: string;
  /** When that began, in ISO 8601. */
  readonly since: string;
  readonly does: "works" | "asks" | "rests" | "ended";
  /** The framework of an agent outside Vibey; null: Vibey's own agent. */
  readonly outside: string | null;
  /** What an agent outside Vibey calls itself. */
  readonly name: string | null;
}

/** The maximum length of `context`, in UTF-16 units. */
const longest = 120;

/**
 * Where each agent is after these events, which are given oldest first. `decided`: the calls that the user has decided by now. Until then, their
 * agents are asking.
 */
export function locateAgents(events: readonly DialogEvent[], decided: ReadonlySet<string>): ReadonlyMap<string, AgentLocation> {
  const spots = new Map<string, AgentLocation>();
  /** The calls without a result so far, by dialog. */
  const open = new Map<string, Map<string, Pick<AgentLocation, "station" | "context" | "since" | "does">>>();
  for (const event of events) {
    const { dialogId, time } = event;
    const before = spots.get(dialogId);
    const own = open.get(dialogId) ?? new Map<string, Pick<AgentLocation, "station" | "context" | "since" | "does">>();
    open.set(dialogId, own);
    const outside = event.actor.kind === "outside" ? event.actor.framework : (before?.outside ?? null);
    const base = { dialogId, outside, name: before?.name ?? null };
    const rest = (does: AgentLocation["does"]): AgentLocation => ({ ...base, station: "center", context: "", since: time, does });
    switch (event.type) {
      case "activation":
        spots.set(dialogId, { ...rest("rests"), name: event.actor.kind === "outside" ? event.data.title : null });
        break;
      case "message":
      case "request":
        spots.set(dialogId, rest("works"));
        break;
      case "tool_call": {
        const { call, tool, input, category, context } = event.data;
        const asks = decided.has(`${dialogId} ${call}`);
        const at = {
          station: stationOf(tool, input, category),
          context: cut(context ?? subjectOf(input)),
          since: time,
          does: asks ? "asks" : "works",
        } as const;
        own.set(call, at);
        spots.set(dialogId, { ...base, ...at });
        break;
      }
      case "approval": {
        const at = own.get(event.data.call);
        if (at === undefined) break;
        const now = { ...at, does: "works" } as const;
        if (event.data.decision === "denied") own.delete(event.data.call);
        else own.set(event.data.call, now);
        spots.set(dialogId, current(own, base) ?? rest("works"));
        break;
      }
      case "tool_result":
        own.delete(event.data.call);
        spots.set(dialogId, current(own, base) ?? rest("works"));
        break;
      case "complete":
        own.clear();
        spots.set(dialogId, rest(outside === null ? "rests" : "ended"));
        break;
      case "waiting":
      case "abort":
      case "error":
        own.clear();
        spots.set(dialogId, rest("rests"));
        break;
      default:
    }
  }
  return spots;
}

/** Calls that ask come first, then the newest. */
function current(
  own: ReadonlyMap<string, Pick<AgentLocation, "station" | "context" | "since" | "does">>,
  base: Pick<AgentLocation, "dialogId" | "outside" | "name">,
): AgentLocation | null {
  const all = [...own.values()];
  const at = all.find(({ does }) => does === "asks") ?? all.at(-1);
  return at === undefined ? null : { ...base, ...at };
}

/** The calls that the user decided, according to these events. */
export function decidedCalls(events: readonly DialogEvent[]): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) => (event.type === "approval" && event.data.from === "human" ? [`${event.dialogId} ${event.data.call}`] : [])),
  );
}

const fields = ["command", "path", "file_path", "prefix", "pattern", "url", "query", "slug", "agent"] as const;

function subjectOf(input: JsonObject): string {
  for (const field of fields) {
    const value = Object.hasOwn(input, field) ? input[field] : undefined;
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return "";
}

function cut(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length <= longest
    ? line
    : `${Array.from(line)
        .slice(0, longest - 1)
        .join("")}…`;
}
