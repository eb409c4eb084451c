import { isObject } from "../prompt/json.ts";
import { dataOf, linesOf } from "./rechunk.ts";

/**
 * Events as the SDKs read them: what an SDK would pass over or lose of an event is said in a form that it keeps. Each takes one event with the blank
 * line that ends it, and gives back all others as they are.
 */

/** An event that is an error by its name alone, or, from llama.cpp, by a field of its own (`error: {…}`). */
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

/** JSON without a name: some proxies leave the names out. `message` is the one that the rules of server-sent events give it. */
export function withName(event: Uint8Array): Uint8Array {
  const text = textOf(event);
  if (/(?:^|[\r\n])event:/.test(text) || !/(?:^|[\r\n])data: ?\{/.test(text)) return event;
  return bytesOf(text.replace(/(^|[\r\n])data:/, "$1event: message\ndata:"));
}

/** An error with the count of what the response took (OpenRouter), of which the error alone would be kept: the count comes before it. */
export function usageApart(event: Uint8Array): Uint8Array {
  const text = textOf(event);
  if (!text.includes('"error"') || !text.includes('"usage"')) return event;
  const body = jsonOf(dataOf(linesOf(event)));
  if (!isObject(body) || !isObject(body["error"]) || !isObject(body["usage"])) return event;
  return bytesOf(`data: ${JSON.stringify({ choices: [], usage: body["usage"] })}\n\n${text}`);
}

/** null: it is no JSON. */
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
