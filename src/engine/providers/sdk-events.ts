import { isObject } from "../prompt/json.ts";
import { dataOf, linesOf } from "./rechunk.ts";

/**
 * Rewrites server-sent events that an SDK would ignore or misread into a form that it keeps. Each function takes one event, with the blank line that
 * ends it, and returns every other event unchanged.
 */

/** Puts an error into the data of its event if only the event's name says that it is one, or llama.cpp's own field (`error: {…}`). */
export function errorAsData(event: Uint8Array): Uint8Array {
  const start = textOf(event.subarray(0, 16)).trimStart();
  if (!/^(?:event: ?error\s|error:)/.test(start)) return event;
  const lines = linesOf(event);
  const isField = start.startsWith("error:");
  const said = isField ? lines.flatMap((line) => (line.startsWith("error:") ? line.slice("error:".length) : [])).join("\n") : dataOf(lines);
  if (said.trim() === "") return event;
  const body = jsonOf(said) ?? said.trim();
  const saysSo = isObject(body) && (body["type"] === "error" || isObject(body["error"]) || typeof body["error"] === "string");
  if (saysSo && !isField) return event;
  return bytesOf(`event: error\ndata: ${JSON.stringify(saysSo ? body : { error: body })}\n\n`);
}

/** Names an event that holds JSON and has no name: some proxies leave the names out. `message` is the default name of server-sent events. */
export function withName(event: Uint8Array): Uint8Array {
  const text = textOf(event);
  if (/(?:^|[\r\n])event:/.test(text) || !/(?:^|[\r\n])data: ?\{/.test(text)) return event;
  return bytesOf(text.replace(/(^|[\r\n])data:/, "$1event: message\ndata:"));
}

/** Splits an event with both an error and the response's usage (OpenRouter): the SDK would keep only the error. The usage comes first. */
export function usageApart(event: Uint8Array): Uint8Array {
  const text = textOf(event);
  if (!text.includes('"error"') || !text.includes('"usage"')) return event;
  const body = jsonOf(dataOf(linesOf(event)));
  if (!isObject(body) || !isObject(body["error"]) || !isObject(body["usage"])) return event;
  return bytesOf(`data: ${JSON.stringify({ choices: [], usage: body["usage"] })}\n\n${text}`);
}

/** Null if the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
