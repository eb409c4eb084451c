import type { DialogListing } from "../../protocol/index.ts";
import { slugOf } from "../docs/names.ts";
import { type Shape, shapeOf } from "../overview/states.ts";
import type { AgentLocation } from "./agent-locations.ts";
import { type Station, stationOf } from "./station.ts";

/** An agent, as in the table and on the map. */
export interface AgentRow {
  readonly dialogId: string;
  readonly name: string;
  readonly shape: Shape;
  readonly station: Station;
  readonly context: string;
  /** In ISO 8601; "" if it isn't known. */
  readonly since: string;
  /** In nanodollars. */
  readonly cost: number | null;
  readonly outside: string | null;
}

const rank: Readonly<Record<Shape, number>> = { asks: 0, error: 1, running: 2, queued: 3, stopped: 4, waits: 5, done: 6 };
const spotShapes: Readonly<Record<AgentLocation["does"], Shape>> = { works: "running", asks: "asks", rests: "waits", ended: "done" };

/** Whether the agent is working or asking. An event then tells where it is. */
export function isAtWork(one: DialogListing): boolean {
  const shape = shapeOf(one);
  return shape === "asks" || shape === "running";
}

/** The current agents. The list tells the state of each, the events where it is. Those that ask come first. */
export function rowsNow(dialogs: readonly DialogListing[], spots: ReadonlyMap<string, AgentLocation>): AgentRow[] {
  const rows = dialogs.flatMap((one): AgentRow[] => {
    const shape = shapeOf(one);
    if (shape === "done") return [];
    const spot = spots.get(one.dialogId);
    const isAt = isAtWork(one);
    const asked = one.asks?.first[0];
    return [
      {
        dialogId: one.dialogId,
        name: spot?.name ?? slugOf(one.dialogId),
        shape,
        station: isAt ? (spot?.station ?? (asked ? stationOf(asked.tool, { command: asked.subject }, undefined) : "center")) : "center",
        context: isAt ? spot?.context || (asked?.subject ?? "") : "",
        since: spot?.since ?? new Date(one.mtime).toISOString(),
        cost: one.cost ?? null,
        outside: spot?.outside ?? null,
      },
    ];
  });
  return inOrder(rows);
}

/** The agents as they were after some events. */
export function rowsThen(spots: ReadonlyMap<string, AgentLocation>): AgentRow[] {
  const rows = [...spots.values()].flatMap((spot): AgentRow[] => {
    const { dialogId, station, context, since, does, outside, name } = spot;
    if (does === "ended") return [];
    return [{ dialogId, name: name ?? slugOf(dialogId), shape: spotShapes[does], station, context, since, cost: null, outside }];
  });
  return inOrder(rows);
}

const inOrder = (rows: readonly AgentRow[]): AgentRow[] =>
  rows.toSorted((a, b) => rank[a.shape] - rank[b.shape] || (a.since < b.since ? 1 : a.since > b.since ? -1 : 0));

/** Up to this many agents, the map shows each of them. If there are more, it shows their number. */
export const maxShown = 150;

export interface StationCount {
  readonly all: number;
  readonly asking: number;
}

export function countAt(rows: readonly AgentRow[], station: Station): StationCount {
  const there = rows.filter((row) => row.station === station);
  return { all: there.length, asking: there.filter(({ shape }) => shape === "asks").length };
}
