import { stringifyJson } from "../../dialog/json.ts";
import { eventDataLine, toolCategories } from "../../dialog/outside.ts";
import type { JsonObject } from "../../dialog/model.ts";
import { type OutsideEvent, type OutsideEventType, outsideEventTypes } from "../../protocol/outside.ts";

/** A JSON object as it was received. */
export type Raw = Readonly<Record<string, unknown>>;

export type ReadEvent =
  /** `warnings`: required fields that were missing, and data that gets lost. `named`: the sender gave the id. */
  | { readonly ok: true; readonly event: OutsideEvent; readonly warnings: readonly string[]; readonly named: boolean }
  | { readonly ok: false; readonly error: string };

export const unrecognized = "Unrecognized event format";

export const isRaw = (value: unknown): value is Raw => typeof value === "object" && value !== null && !Array.isArray(value);
export const textIn = (raw: Raw, field: string): string | undefined => {
  const value = Object.hasOwn(raw, field) ? raw[field] : undefined;
  return typeof value === "string" ? value : undefined;
};
export const objectIn = (raw: Raw, field: string): JsonObject | undefined => {
  const value = Object.hasOwn(raw, field) ? raw[field] : undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the result of JSON.parse is JSON
  return isRaw(value) ? (value as JsonObject) : undefined;
};
const numberIn = (raw: Raw, field: string): number | undefined => {
  const value = Object.hasOwn(raw, field) ? raw[field] : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};
const booleanIn = (raw: Raw, field: string): boolean | undefined => {
  const value = Object.hasOwn(raw, field) ? raw[field] : undefined;
  return typeof value === "boolean" ? value : undefined;
};

/** The most UTF-16 units of an agent's id, of its framework, of a tool's name, and of an event's id. Many ids are remembered. */
const longest = { agentId: 200, source: 100, tool: 200, id: 200 } as const;
/** The last time with a four-digit year, in milliseconds since 1970. */
const lastTime = 253_402_300_799_999;

/** Reads an event of the universal protocol. Fills in optional fields. Every field is validated; nothing is assumed about its type. */
export function readEvent(raw: unknown, now: Date, newId: () => string): ReadEvent {
  if (!isRaw(raw)) return { ok: false, error: unrecognized };
  const type = outsideEventTypes.find((one) => one === raw["type"]);
  const agentId = textIn(raw, "agentId");
  const source = textIn(raw, "source");
  if (type === undefined || !isWord(agentId, longest.agentId) || !isWord(source, longest.source)) return { ok: false, error: unrecognized };
  const tool = objectIn(raw, "tool");
  const name = tool && textIn(tool, "name");
  if (isToolType(type) && !isWord(name, longest.tool)) return { ok: false, error: `${unrecognized}: ${type} needs tool.name` };
  const given = textIn(raw, "id");
  if (given !== undefined && given.length > longest.id) return { ok: false, error: `id: expected at most ${longest.id} characters` };
  const timestamp = numberIn(raw, "timestamp");
  const duration = numberIn(raw, "duration");
  const id = given !== undefined && given !== "" ? given : newId();
  const event: OutsideEvent = {
    id,
    timestamp: timestamp !== undefined && timestamp >= 0 && timestamp <= lastTime ? Math.floor(timestamp) : now.getTime(),
    type,
    agentId,
    source,
    ...(tool !== undefined && name !== undefined
      ? { tool: { name, category: categoryOf(textIn(tool, "category")), id: textIn(tool, "id") || `${id}-tool` } }
      : {}),
    ...optional("cwd", textIn(raw, "cwd")),
    ...optional("input", objectIn(raw, "input")),
    ...optional("context", textIn(raw, "context")),
    ...optional("success", booleanIn(raw, "success")),
    ...optional("duration", duration !== undefined && duration >= 0 ? duration : undefined),
    ...optional("output", Object.hasOwn(raw, "output") ? raw["output"] : undefined),
    ...optional("error", textIn(raw, "error")),
    ...optional("trigger", textIn(raw, "trigger")),
    ...optional("reason", textIn(raw, "reason")),
    ...optional("response", textIn(raw, "response")),
    ...optional("text", textIn(raw, "text")),
    ...optional("message", textIn(raw, "message")),
    ...optional("level", textIn(raw, "level")),
    ...optional("parentAgentId", textIn(raw, "parentAgentId")),
    ...optional("toolUseId", textIn(raw, "toolUseId")),
    ...optional("metadata", objectIn(raw, "metadata")),
  };
  const warnings = [...missing(raw, tool, type), ...lostData(event)];
  return { ok: true, event, warnings, named: given !== undefined && given !== "" };
}

const isToolType = (type: OutsideEventType): boolean => type === "tool_start" || type === "tool_end";
const isWord = (text: string | undefined, most: number): text is string => text !== undefined && text.trim() !== "" && text.length <= most;
const categoryOf = (text: string | undefined) => toolCategories.find((one) => one === text) ?? "other";

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [key in Name]?: Value } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed name widens to string
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value };
}

/** Warns about metadata that is too long for the record. Viewers still get it. */
function lostData({ metadata }: OutsideEvent): string[] {
  const isKept = metadata === undefined || eventDataLine(stringifyJson(metadata)) !== null;
  return isKept ? [] : ["metadata: too long for a line of the record, which keeps at most 300 characters of JSON"];
}

/** The fields that the protocol requires, by type. */
const asked: Readonly<Record<OutsideEventType, readonly string[]>> = {
  tool_start: ["tool.category", "tool.id"],
  tool_end: ["tool.category", "tool.id", "success"],
  agent_start: [],
  agent_end: [],
  agent_idle: [],
  agent_thinking: [],
  user_input: ["text"],
  notification: ["message"],
  subagent_spawn: ["parentAgentId"],
  subagent_end: [],
};

function missing(raw: Raw, tool: Raw | undefined, type: OutsideEventType): string[] {
  return asked[type].flatMap((field) => {
    const [holder, name] = field.startsWith("tool.") ? [tool ?? {}, field.slice("tool.".length)] : [raw, field];
    const wanted = name === "success" ? "boolean" : "string";
    return typeof holder[name] === wanted ? [] : [`${field}: expected ${wanted === "boolean" ? "true or false" : "text"}`];
  });
}
