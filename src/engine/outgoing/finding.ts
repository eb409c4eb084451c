import type { OutgoingFinding } from "../api.ts";

/** What would run outside the browser; who wrote it the history says. */
export type Finding = Omit<OutgoingFinding, "writer">;
export type Reason = Finding["reason"];
