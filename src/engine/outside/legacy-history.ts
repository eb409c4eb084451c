import { isJsonObject, parseJson } from "../../dialog/json.ts";
import { sectionTime } from "../../dialog/edit.ts";
import type { Call, Json, JsonObject, Meta, Section } from "../../dialog/model.ts";
import { callWords, eventKeys, readReport, reportKeys } from "../../dialog/outside.ts";
import { sectionAt, sectionCount } from "../../dialog/sections.ts";
import type { FoundRecord } from "./find-records.ts";

/** The most events in a history. */
export const history = 50;

/** Data of Claude Code's hooks that the universal protocol doesn't have, under the names of the old form. */
export function dataFields(metadata: JsonObject | undefined): JsonObject {
  if (metadata === undefined) return {};
  const own = ["notificationType", "stopHookActive", "trigger", "customInstructions"];
  return {
    metadata,
    ...(metadata["hook"] === "pre_compact" ? { type: "pre_compact" } : {}),
    ...Object.fromEntries(Object.entries(metadata).filter(([name]) => own.includes(name))),
  };
}

type Frame = Record<string, Json>;

/** The events that a record was written from, with the ids that their senders gave them. */
export function historyOf({ dialogId, agent, dialog }: FoundRecord): JsonObject[] {
  const frames: Frame[] = [];
  const ends = new Map<string, Frame>();
  let time = Date.parse(dialog.head.find(({ key }) => key === "Started")?.value ?? "") || 0;
  /** The event that the next line about an event refers to. Null: there is none in this history. */
  let last: Frame | null = null;
  let said: string | null = null;
  const add = (type: string, at: string | null, fields: JsonObject): Frame => {
    time = (at === null ? Number.NaN : Date.parse(at)) || time;
    last = { id: `${dialogId}/${frames.length}`, timestamp: time, type, sessionId: agent.session, source: agent.framework, ...fields };
    frames.push(last);
    return last;
  };
  const readLine = ({ key, value }: Meta, next: Meta | undefined): void => {
    const { time: at, words } = readReport(value);
    const [first = "", ...rest] = words.split(" ");
    if (key === reportKeys.begun) add("session_start", at, given("trigger", words));
    else if (key === reportKeys.idle) {
      add("stop", at, { ...given("reason", words), ...given("response", said) });
      said = null;
    } else if (key === reportKeys.ended) add("session_end", at, given("reason", words));
    else if (key === reportKeys.notice) add("notification", at, { level: first, message: rest.join(" ") });
    else if (key === reportKeys.spawned) add("subagent_spawn", at, given("toolUseId", first));
    else if (key === reportKeys.spawnEnded) add("subagent_stop", at, given("toolUseId", words));
    else if (key === eventKeys.data && last !== null) Object.assign(last, dataFields(objectOf(value)));
    else if (key === eventKeys.id) {
      const about = next?.key === eventKeys.ends ? ends.get(next.value) : last;
      if (about) about["id"] = value;
      last = null;
    }
  };
  // Every section has at least one event, so the last `history` sections are enough.
  for (let index = Math.max(0, sectionCount(dialog) - history); index < sectionCount(dialog); index += 1) {
    const section = sectionAt(dialog, index);
    if (section === undefined) continue;
    const words = callWords(section);
    for (const part of section.parts) {
      if (part.kind === "meta") for (const [at, line] of part.lines.entries()) readLine(line, part.lines[at + 1]);
      else if (part.kind === "text" && section.role === "user")
        add("user_prompt_submit", sectionTime(section).start, { prompt: part.text });
      else if (part.kind === "text") [said, last] = [part.text, null];
      else {
        const about = callFields(part.call, words);
        const begun = add("pre_tool_use", part.call.started ?? sectionStart(section), about);
        const end = endOf(part.call);
        if (end === null) continue;
        ends.set(part.call.id, add("post_tool_use", end.time, { ...about, ...end.fields }));
        // A separate line gives the id of the end.
        last = begun;
      }
    }
  }
  return frames;
}

const given = (name: string, value: string | null): JsonObject =>
  value === null || value === "" || value === "-" ? {} : { [name]: value };
const sectionStart = (section: Section): string | null => sectionTime(section).start;

function objectOf(json: string): JsonObject | undefined {
  const value = parseJson(json);
  return isJsonObject(value) ? value : undefined;
}

function callFields({ id, name, input }: Call, words: ReturnType<typeof callWords>): JsonObject {
  const { category, context } = words.get(id) ?? {};
  return { tool: name, toolUseId: id, toolInput: input, ...given("category", category ?? null), ...given("context", context ?? null) };
}

function endOf({ result, started }: Call): { readonly time: string | null; readonly fields: JsonObject } | null {
  if (result === undefined) return null;
  const { success, ms, output, error } = isJsonObject(result) ? result : {};
  const took = typeof ms === "number" ? ms : null;
  const end = started === null ? Number.NaN : Date.parse(started) + (took ?? 0);
  return {
    time: Number.isNaN(end) ? null : new Date(Math.min(end, 253_402_300_799_999)).toISOString(),
    fields: {
      success: success === true,
      ...(output === undefined ? {} : { toolResponse: output }),
      ...(typeof error === "string" ? { error } : {}),
      ...(took === null ? {} : { duration: took }),
    },
  };
}
