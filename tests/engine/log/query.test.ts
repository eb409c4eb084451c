import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventsOf, generationOf } from "../../../src/dialog/events/events-of.ts";
import type { DialogEvent } from "../../../src/dialog/events/model.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";
import type { EventReader } from "../../../src/engine/log/event-reader.ts";
import type { OpenLog, Position } from "../../../src/engine/log/log.ts";
import { keyOf } from "../../../src/engine/log/new-events.ts";
import { filtered } from "../../../src/engine/log/query.ts";
import type { CommitEvent, LogFilter } from "../../../src/protocol/index.ts";

const dialogId = "20261121-201100-game";
const stop = (value: string) =>
  `## Assistant\n> Time: 2026-11-21T20:11:01.000Z - 2026-11-21T20:11:02.000Z\n\nI work.\n\n> Stop: ${value}\n\n`;
const stops = `# Dialog\n> Format: 1\n\n## User\n\nGo\n\n> Edited: 2026-11-21T20:12:00.000Z\n\n${["aborted", "interrupted", "error 500", "refusal", "max_tokens"].map(stop).join("")}`;
const texts = [
  stops,
  ...["turn-with-tools", "undecided"].map((name) => readFileSync(new URL(`../../dialog/golden/${name}.md`, import.meta.url), "utf8")),
];

const logOf = (positions: readonly Position[]): OpenLog => ({
  logId: "log",
  positions,
  ended: new AbortController().signal,
  watch: () => () => {},
});

/** A log of these events, and a reader that counts its calls. */
function logWith(events: readonly (DialogEvent | CommitEvent)[]) {
  const positions = events.map((event, nth): Position => {
    const place = { version: 1, nth, rebuilt: false };
    if (event.type === "commit") return { ...place, commit: nth };
    return { ...place, dialogId: event.dialogId, generation: Number(event.id.split("/")[1]), key: keyOf(event) };
  });
  const asked: string[] = [];
  const reader: EventReader = {
    async read(wanted) {
      return wanted.flatMap(({ nth }) => {
        const event = events[nth];
        if (event) asked.push(event.type);
        return event ? [{ ...event, cursor: `${nth}` }] : [];
      });
    },
  };
  const find = async (filter: LogFilter, left = new AbortController().signal) => {
    const ids: string[] = [];
    for await (const { id } of filtered(logOf(positions), reader, positions, filter, left)) ids.push(id);
    return ids;
  };
  return { find, asked };
}

const commit = (actor: CommitEvent["actor"]): CommitEvent => ({
  type: "commit",
  id: `commit/${actor.kind}`,
  time: "2026-11-21T20:11:00.000Z",
  exact: true,
  severity: "info",
  actor,
  dialogId: null,
  anchor: null,
  data: { commit: actor.kind, summary: "added a.js", files: 1, changes: [] },
});

test.each(["info", "warning", "error"] as const)("events of severity %s are found, whatever type they are of", async (severity) => {
  let found = 0;
  for (const text of texts) {
    const dialog = parseDialog(text);
    const events = eventsOf(dialog, `${dialogId}-${generationOf(dialog)}`);
    const wanted = events.flatMap((event) => (event.severity === severity ? [event.id] : []));
    expect(await logWith(events).find({ severity })).toEqual(wanted);
    found += wanted.length;
  }
  expect(found).toBeGreaterThan(0);
});

test("a search for errors reads no event that can't be one", async () => {
  const { find, asked } = logWith(eventsOf(parseDialog(stops), dialogId));
  expect(await find({ severity: "error" })).toHaveLength(2);
  expect(asked).toEqual(["error", "error"]);
});

test("an agent that runs elsewhere is an agent", async () => {
  const { find } = logWith([commit({ kind: "outside", agentId: "bot", framework: "x" }), commit({ kind: "human" })]);
  expect(await find({ by: "agent" })).toEqual(["commit/outside"]);
  expect(await find({ by: "human" })).toEqual(["commit/human"]);
});

test("a search that no one waits for any more reads nothing more", async () => {
  const left = new AbortController();
  const positions = Array.from({ length: 100_000 }, (_, nth): Position => ({ version: 1, nth, rebuilt: false, commit: nth }));
  let reads = 0;
  const reader: EventReader = {
    async read() {
      reads += 1;
      if (reads === 2) left.abort();
      return [];
    },
  };
  for await (const event of filtered(logOf(positions), reader, positions, {}, left.signal)) expect.fail(event.id);
  expect(reads).toBe(2);
});
