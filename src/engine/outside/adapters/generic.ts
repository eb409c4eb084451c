import { outsideEventTypes } from "../../../protocol/outside.ts";
import { type EventAdapter, guessCategory } from "./adapter.ts";

/** Events that are already in the universal protocol. */
export const generic: EventAdapter = {
  name: "generic",
  canHandle: ({ type, agentId }) => typeof agentId === "string" && outsideEventTypes.some((one) => one === type),
  categorize: guessCategory,
  normalize: (raw) => raw,
};
