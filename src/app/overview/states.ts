import type { DialogListing } from "../../protocol/index.ts";
import { isAsked, groupOf } from "../dialogs/dialog-group.ts";
import * as t from "../texts/overview.ts";

/** A state has a shape, a word and a color. `asks`: it can't continue until the user decides. `waits`: it ended its turn. */
export type Shape = "asks" | "waits" | "running" | "queued" | "stopped" | "done" | "error";

export function shapeOf(one: Pick<DialogListing, "status" | "activity" | "waitingFor">): Shape {
  const place = groupOf(one);
  if (place !== "waiting") return place;
  if (isAsked(one.activity) || one.waitingFor === "leave" || one.waitingFor === "question") return "asks";
  return one.waitingFor === "failed" ? "error" : "waits";
}

export const stateWords: Readonly<Record<Shape, string>> = {
  asks: t.asksYou,
  waits: t.waits,
  running: t.running,
  queued: t.queued,
  stopped: t.stopped,
  done: t.completed,
  error: t.error,
};

/** Paths in a square of 12; `filled`: without an outline. */
export const shapes: Readonly<Record<Shape, { readonly path: string; readonly filled: boolean }>> = {
  asks: { path: "M6 0 12 6 6 12 0 6Z", filled: true },
  waits: { path: "M6 1.4 10.6 6 6 10.6 1.4 6Z", filled: false },
  running: { path: "M1 6a5 5 0 1 1 10 0 5 5 0 1 1-10 0Z", filled: true },
  queued: { path: "M2 6a4 4 0 1 1 8 0 4 4 0 1 1-8 0Z", filled: false },
  stopped: { path: "M2 1h3v10H2zM7 1h3v10H7z", filled: true },
  done: { path: "m1 6.5 3.5 3.5L11 2", filled: false },
  error: { path: "m2 2 8 8M10 2 2 10", filled: false },
};
