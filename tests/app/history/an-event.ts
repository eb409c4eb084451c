import type { DialogEvent, EventData } from "../../../src/dialog/events/model.ts";
import type { LogEvent } from "../../../src/protocol/index.ts";

export const dialogId = "20261121-201100-style";

type About = Partial<Pick<DialogEvent, "id" | "time" | "exact" | "severity" | "actor" | "dialogId" | "anchor">>;

/** An event of the dialog `style`, as the engine reports it. */
export const eventOf = (data: EventData, about: About = {}): DialogEvent & { cursor: string } => ({
  id: `${dialogId}/0/0.${data.type}`,
  time: "2026-11-21T20:11:05Z",
  exact: true,
  severity: "info",
  actor: { kind: "agent", dialogId },
  dialogId,
  agentId: null,
  turn: 0,
  anchor: { section: 0 },
  cursor: "c",
  ...data,
  ...about,
});

/** An event that can be told from others in a list. */
export const nth = (n: number, about: About = {}): LogEvent => ({
  ...eventOf({ type: "text", data: { text: `line ${n}` } }, { id: `${dialogId}/0/${n}.text`, ...about }),
  cursor: `c${n}`,
});
