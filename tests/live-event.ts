import type { LiveData, LiveEvent, LiveFrame } from "../src/protocol/index.ts";

/** A live event, as the engine reports it. */
export const live = (data: LiveData, about: Partial<Pick<LiveEvent, "actor" | "dialogId">> = {}): LiveEvent => ({
  ...data,
  time: "2026-11-21T20:11:05.000Z",
  severity: "info",
  actor: { kind: "vibey" },
  dialogId: null,
  ...about,
});

/** The live events in lines of `GET /events`. */
export const liveEventsIn = (text: string): LiveEvent[] =>
  text.split("\n").flatMap((line) => {
    if (!line.startsWith("data: ")) return [];
    const frame = JSON.parse(line.slice("data: ".length)) as LiveFrame;
    return frame.type === "live" ? [frame.event] : [];
  });
