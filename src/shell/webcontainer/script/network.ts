import { joinBytes } from "../../../fs/bytes.ts";
import type { NetAnswer, NetRequest } from "../../network.ts";

/** Milliseconds that a request may take, and bytes that its answer may have. */
const timeLimit = 60_000;
const sizeLimit = 64_000_000;

/** Sends the request of a shell command. The container has network access of its own, so the user is not asked. Never rejects. */
export async function reach(request: NetRequest, signal: AbortSignal): Promise<NetAnswer> {
  const over = new AbortController();
  const stop = (): void => over.abort();
  const timer = setTimeout(stop, timeLimit);
  signal.addEventListener("abort", stop);
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers.map(([name, value]): [string, string] => [name, value]),
      body: request.body === null ? null : request.body.slice(),
      redirect: request.follow ? "follow" : "manual",
      cache: "no-store",
      signal: over.signal,
    });
    const chunks: Uint8Array[] = [];
    let size = 0;
    // Safari's streams are not async iterables.
    const reader = response.body?.getReader();
    for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
      size += read.value.length;
      if (size > sizeLimit) return { kind: "failed", why: `the answer has more than ${sizeLimit / 1_000_000} MB` };
      chunks.push(read.value);
    }
    return {
      kind: "answer",
      url: response.url,
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers],
      body: joinBytes(chunks),
    };
  } catch (error) {
    if (signal.aborted) return { kind: "failed", why: "the command was stopped" };
    if (over.signal.aborted) return { kind: "failed", why: `there was no whole answer within ${timeLimit / 1000} s` };
    return { kind: "failed", why: reasonOf(error) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    over.abort();
  }
}

/** fetch itself only says that it failed; the reason is in `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
}
