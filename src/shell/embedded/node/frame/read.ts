import { isToPorts } from "../../loopback/messages.ts";
import { signalOf } from "../../signals.ts";
import { type FileChange, fileChanges, type FromProcess, postKinds } from "./messages.ts";

type Fields = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === "string";
/**
 * Accepts only bytes that fill their buffer, unshared: a small part of a large buffer would keep all of it in memory, but limits count only the part.
 */
const isBytes = (value: unknown): value is Uint8Array =>
  value instanceof Uint8Array &&
  value.buffer instanceof ArrayBuffer &&
  value.byteLength === value.buffer.byteLength &&
  Reflect.get(value.buffer, "resizable") !== true;
const isId = (value: unknown): value is number => Number.isSafeInteger(value);
const isRecord = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const isSignal = (value: unknown): boolean => isText(value) && signalOf(value)?.name === value;
/** Names of channel ends: see `channels.ts`. */
const isEnd = (value: unknown): value is string => isText(value) && /^[a-z0-9]{1,40}\.[01]$/.test(value);
const isEnds = (value: unknown): boolean => Array.isArray(value) && value.length <= 1_000 && value.every(isEnd);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Validates what a process posted; null if it is not one of the messages. */
export function readFromProcess(data: unknown): FromProcess | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field is checked before the message is passed on.
  return isRecord(data) && isMessage(data) ? (data as unknown as FromProcess) : null;
}

function isMessage(data: Fields): boolean {
  switch (data["type"]) {
    case "print":
      return (data["stream"] === "stdout" || data["stream"] === "stderr") && (isText(data["printed"]) || isBytes(data["printed"]));
    case "change":
      return isChange(data["call"], data["args"]);
    case "fetch":
      return isId(data["id"]) && isRequest(data["request"]);
    case "exec":
      return (
        isId(data["id"]) &&
        [data["command"], data["cwd"], data["stdin"]].every(isText) &&
        isRecord(data["env"]) &&
        Object.values(data["env"]).every(isText)
      );
    case "kill":
      return isId(data["id"]);
    case "watch":
      return typeof data["on"] === "boolean";
    case "ports":
      return isToPorts(data["message"]) && (data["message"].kind !== "data" || isBytes(data["message"].bytes));
    case "child":
      return (
        isId(data["id"]) &&
        isText(data["start"]) &&
        (data["words"] === null || isTexts(data["words"])) &&
        typeof data["piped"] === "boolean" &&
        typeof data["hasInput"] === "boolean" &&
        isEnds(data["ports"])
      );
    case "endChild":
      return isId(data["id"]) && (data["signal"] === null || isSignal(data["signal"]));
    case "handle":
      return isSignal(data["signal"]) && typeof data["on"] === "boolean";
    case "post":
      return isId(data["to"]) && postKinds.some((kind) => kind === data["kind"]) && isEnds(data["ports"]);
    case "portPost":
      return isEnd(data["end"]) && isEnds(data["ports"]);
    case "portClose":
      return isEnd(data["end"]);
    case "report":
      return isText(data["json"]);
    case "ended":
      return isId(data["code"]) && (data["broken"] === null || isText(data["broken"]));
    default:
      return false;
  }
}

function isChange(call: unknown, args: unknown): boolean {
  if (!isText(call) || !Object.hasOwn(fileChanges, call) || !Array.isArray(args)) return false;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key was checked just before.
  const wanted = fileChanges[call as FileChange];
  return (
    args.length === wanted.length &&
    wanted.every((kind, i) => {
      const value: unknown = args[i];
      return kind === "bytes" ? isBytes(value) : typeof value === kind && (kind !== "number" || Number.isFinite(value));
    })
  );
}

function isRequest(request: unknown): boolean {
  if (!isRecord(request)) return false;
  const { url, method, program, headers, body, follow } = request;
  return (
    [url, method].every(isText) &&
    program === "node" &&
    Array.isArray(headers) &&
    headers.every((header) => isTexts(header) && header.length === 2) &&
    (body === null || isBytes(body)) &&
    typeof follow === "boolean"
  );
}
