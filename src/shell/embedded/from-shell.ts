import { parsePath } from "../../fs/path.ts";
import { isToPorts } from "./loopback/messages.ts";
import type { FromShell } from "./protocol.ts";

/**
 * Validates what the worker posted; null if it is not a message of the protocol. Code that breaks out of the shell's interpreter can post anything. A
 * path that the project can't store, or a text that is not one, goes no further.
 */
export function readFromShell(data: unknown): FromShell | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field is checked before the message is passed on.
  return isRecord(data) && isMessage(data) ? (data as unknown as FromShell) : null;
}

type Fields = Readonly<Record<string, unknown>>;

function isMessage(data: Fields): boolean {
  switch (data["type"]) {
    case "write":
      return isPath(data["path"]) && isBytes(data["bytes"]) && isPartOf(data["keeps"], data["bytes"]);
    case "append":
      return isPath(data["path"]) && isBytes(data["bytes"]);
    case "remove":
    case "need":
      return isPath(data["path"]);
    case "prepared":
      return (data["bytes"] === null || isBytes(data["bytes"])) && isText(data["why"]);
    case "followed":
      return isId(data["id"]);
    case "started":
      return true;
    case "done":
      return isDone(data);
    case "fetch":
      return isId(data["id"]) && isRequest(data["request"]);
    case "asset":
      return isId(data["id"]) && isText(data["name"]);
    case "background":
      return isId(data["id"]) && isTexts(data["operands"]);
    case "programs":
      return isId(data["id"]) && typeof data["fresh"] === "boolean";
    case "ports":
      return isToPorts(data["message"]);
    case "output":
      return isOutput(data["output"]);
    default:
      return false;
  }
}

function isDone({ stdout, stderr, exitCode, limit, aborted, folder, env, outside }: Fields): boolean {
  return (
    [stdout, stderr, folder].every(isText) &&
    Number.isFinite(exitCode) &&
    (limit === "time" || limit === "output" || limit === null) &&
    typeof aborted === "boolean" &&
    isRecord(env) &&
    (outside === undefined || typeof outside === "boolean") &&
    Object.values(env).every(isText)
  );
}

function isRequest(request: unknown): boolean {
  if (!isRecord(request)) return false;
  const { url, method, program, headers, body, follow } = request;
  return (
    [url, method, program].every(isText) &&
    Array.isArray(headers) &&
    headers.every((header) => isTexts(header) && header.length === 2) &&
    (body === null || isBytes(body)) &&
    typeof follow === "boolean"
  );
}

function isOutput(output: unknown): boolean {
  return isRecord(output) && ["stdout", "stderr", "progress"].some((stream) => stream === output["stream"]) && isText(output["text"]);
}

function isPath(path: unknown): boolean {
  const parsed = isText(path) ? parsePath(path) : null;
  return parsed?.ok === true && parsed.path === path;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

/** Only the engine's own memory: shared memory could change after it was checked. */
function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && Reflect.get(value.buffer, "resizable") !== true;
}

function isPartOf(size: unknown, bytes: Uint8Array): boolean {
  return size === undefined || (typeof size === "number" && Number.isInteger(size) && size >= 0 && size <= bytes.length);
}

const isText = (value: unknown): value is string => typeof value === "string";
const isId = (value: unknown): boolean => typeof value === "number";
const isRecord = (value: unknown): value is Fields => typeof value === "object" && value !== null;
