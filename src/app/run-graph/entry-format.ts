import type { RunLogRow } from "../../protocol/index.ts";
import { isObject, subject } from "../calls/describe.ts";
import { visible } from "../calls/visible.ts";
import { slugOf } from "../docs/names.ts";
import * as t from "../texts/run-log.ts";
import * as why from "../texts/why.ts";
import { stopReason } from "./why.ts";

/** The maximum length of foreign text in a row, in UTF-16 units. */
const longest = 160;

/** The first line of a foreign text, shortened, with nothing hidden in it. */
function line(value: unknown): string {
  if (typeof value !== "string") return "";
  const first =
    value
      .trimStart()
      .slice(0, longest + 1)
      .split(/[\r\n]/, 1)[0] ?? "";
  return visible(first.length > longest ? `${first.slice(0, longest)}…` : first);
}
const name = (dialogId: unknown): string => (typeof dialogId === "string" ? line(slugOf(dialogId)) : "");

const stopped = (stop: unknown): string => (typeof stop === "string" ? line(stopReason(stop)) : "");
const scopeOf = (scope: unknown): "run" | "agent" => (scope === "run" ? "run" : "agent");

function warningWords({ code, message, scope, tool }: RunLogRow["data"]): string {
  if (code === "paused") return why.paused[scopeOf(scope)];
  if (code === "resumed") return why.resumed[scopeOf(scope)];
  if (code === "definition") return t.redefined;
  if (code === "denied") return why.deniedTool(line(tool));
  const isStop = typeof message === "string" && /^(?:limit |max_tokens$|context_window$)/.test(message);
  return isStop ? stopped(message) : line(message ?? code);
}

/** An entry in one line. Its data came from a text, so any field may have any value. */
export function entryWords({ type, data }: Pick<RunLogRow, "type" | "data">): string {
  const tool = line(data["tool"]);
  switch (type) {
    case "activation":
      return line(data["input"]);
    case "tool_call":
      return `[${tool}] ${data["input"] !== undefined && isObject(data["input"]) ? line(subject({ tool, input: data["input"] })) : ""}`.trim();
    case "tool_result":
      return `[${tool}] ${data["ok"] === true ? t.done : line(data["error"]) || t.failed}`;
    case "file_change":
      return data["turn"] === true ? t.turnChanged(Number(data["files"]), line(data["summary"])) : line(data["path"]);
    case "spawn":
      return name(data["child"]);
    case "signal":
      return data["to"] === "user" ? t.toUser(line(data["message"])) : t.signal(name(data["from"]), line(data["message"]));
    case "warning":
      return warningWords(data);
    case "error":
    case "abort":
      return stopped(data["message"]);
    case "complete":
      return typeof data["tokens"] === "number" ? t.tokens(data["tokens"]) : "";
  }
}
