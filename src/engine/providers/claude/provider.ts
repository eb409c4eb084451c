import { isObject } from "../../history/json.ts";
import { limits } from "../../limits.ts";
import type { ProviderDeps } from "../deps.ts";
import { scrub } from "../key.ts";
import { oneLine } from "../one-line.ts";
import type { ModelList, Provider, ProviderEvent, ProviderRequest, Stop } from "../provider.ts";
import { retriedStatuses, retryDelay, sleep } from "../retry.ts";
import { createWatch, type Watch } from "../watch.ts";
import { clientOf, headersOf, InStream, loadSdk, refusalOf } from "./client.ts";
import { explain, type Place, readBody, type Refusal, unreachable } from "./errors.ts";
import { listModels } from "./model-list.ts";
import { namedLimit, responseTokens } from "./models.ts";
import { claudeRequest } from "./request.ts";
import { eventsOfWhole, type Reading, readResponse } from "./response.ts";
import { type ClaudeSettings, readTarget, type Target } from "./target.ts";

/** How one try ended. */
type Attempt =
  | { readonly kind: "done"; readonly stop: Stop }
  /** The server refused before anything of a response was shown. */
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly headers: Headers | null }
  | { readonly kind: "unreachable" };

/** The Messages wire. `settings` is asked at each request. */
export function claudeProvider(settings: () => ClaudeSettings, deps: ProviderDeps): Provider {
  /** `max_tokens` that a server named as its limit, by base URL and model. */
  const learned = new Map<string, number>();

  async function* answer(request: ProviderRequest, signal: AbortSignal): AsyncGenerator<ProviderEvent, Stop> {
    const found = readTarget(settings());
    if (!found.ok) return found.stop;
    const { target } = found;
    const place = placeOf(target, request.model);
    const limitOf = `${target.base} ${request.model}`;
    let lowered = false;
    for (let tried = 1; ; tried++) {
      const maxTokens = learned.get(limitOf) ?? responseTokens(request.model);
      const attempt = yield* ask(target, request, maxTokens, place, signal);
      if (signal.aborted) return { kind: "aborted" };
      if (attempt.kind === "done") return attempt.stop;

      let delayMs: number | null = null;
      let failed: Extract<Stop, { kind: "error" }>;
      if (attempt.kind === "unreachable") {
        failed = unreachable(place, deps.online());
        // A page cannot tell a short break of the network from a wrong URL, so it asks once more and not longer.
        if (tried === 1 && !target.local && deps.online()) delayMs = retryDelay(null, tried, deps.timers, deps.random);
      } else {
        const { refusal, headers } = attempt;
        failed = explain(refusal, place);
        const limit = refusal.status === 400 && !lowered ? namedLimit(refusal.said ?? "", maxTokens) : null;
        if (limit !== null) {
          learned.set(limitOf, limit);
          lowered = true;
          continue;
        }
        if (isRetried(failed, refusal, headers)) delayMs = retryDelay(headers, tried, deps.timers, deps.random);
      }
      if (delayMs === null || tried >= limits.requestTries) return failed;
      yield { type: "retry", delayMs, reason: failed.message };
      if (!(await sleep(delayMs, deps.timers, signal))) return { kind: "aborted" };
    }
  }

  /** One try. Yields what the response says; ends without a throw. */
  async function* ask(
    target: Target,
    request: ProviderRequest,
    maxTokens: number,
    place: Place,
    signal: AbortSignal,
  ): AsyncGenerator<ProviderEvent, Attempt> {
    const watch = createWatch(deps, {
      signal,
      firstByteMs: target.official ? limits.streamIdleMs : limits.firstByteMs,
      idleMs: limits.streamIdleMs,
    });
    const sdk = await loadSdk(signal);
    if (sdk === null) return { kind: "done", stop: notLoaded };
    const reading = readResponse();
    let answered = false;
    try {
      const body = claudeRequest(request, maxTokens);
      const { data, response } = await clientOf(sdk, target, watch)
        .post<AsyncIterable<unknown>>("/v1/messages", { body, stream: true })
        .withResponse();
      answered = true;
      const type = (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
      const events = type === "application/json" ? wholeBody(response) : type === "text/html" ? nothing() : data;
      for await (const event of events) {
        if (signal.aborted) break;
        if (isObject(event) && event["type"] === "error") throw new InStream(readBody(event, null));
        yield* reading.push(event);
        if (reading.ended) break;
      }
      const end = reading.finish(cutOf(reading, type, watch, signal));
      yield* unlessAborted(end.events, signal);
      return { kind: "done", stop: end.stop };
    } catch (error) {
      const refusal = refusalOf(sdk, error);
      let cut: Stop | undefined;
      // Whatever goes wrong behind the end concerns nobody.
      if (reading.ended) cut = undefined;
      else if (signal.aborted || watch.stalled) cut = cutStop(watch, signal);
      else if (refusal !== null) {
        if (!reading.shown) return { kind: "refused", refusal, headers: headersOf(error) };
        cut = explain(refusal, place);
      } else if (error instanceof sdk.APIConnectionError) return { kind: "unreachable" };
      else if (answered && !(error instanceof SyntaxError)) cut = cutStop(watch, signal);
      else cut = protocol(`The exchange with ${target.host} failed: ${oneLine(place.scrub(String(error)))}`);
      const end = reading.finish(cut);
      yield* unlessAborted(end.events, signal);
      return { kind: "done", stop: end.stop };
    }
  }

  return {
    name: "claude",

    async *stream(request, signal) {
      // The reader may leave at any event; then nobody is there who would abort.
      const left = new AbortController();
      const either = AbortSignal.any([signal, left.signal]);
      try {
        const stop = either.aborted ? ({ kind: "aborted" } as const) : yield* answer(request, either);
        yield { type: "end", stop };
      } finally {
        left.abort();
      }
    },

    async models(signal): Promise<ModelList> {
      const found = readTarget(settings());
      if (!found.ok) return { ok: false, message: found.stop.message };
      const { target } = found;
      const place = placeOf(target, "");
      const watch = createWatch(deps, { signal, firstByteMs: limits.streamIdleMs, idleMs: limits.streamIdleMs });
      const sdk = await loadSdk(signal);
      if (sdk === null) return { ok: false, message: signal.aborted ? stopped : notLoaded.message };
      try {
        return { ok: true, models: await listModels(clientOf(sdk, target, watch)) };
      } catch (error) {
        if (signal.aborted) return { ok: false, message: stopped };
        if (watch.stalled) return { ok: false, message: `${target.host} does not answer.` };
        const refusal = refusalOf(sdk, error);
        if (refusal !== null && refusal.status !== 404) return { ok: false, message: explain(refusal, place).message };
        if (error instanceof sdk.APIConnectionError) return { ok: false, message: unreachable(place, deps.online()).message };
        return { ok: false, message: `${target.host} gives no list of models that can be read. Type the model's name instead.` };
      }
    },
  };
}

const stopped = "Stopped.";

const notLoaded: Extract<Stop, { kind: "error" }> = {
  kind: "error",
  reason: "unreachable",
  message: "The part of Vibey that talks to Claude could not be loaded. Check the network, then reload the page.",
};

function placeOf(target: Target, model: string): Place {
  return { host: target.host, local: target.local, model, scrub: (said) => scrub(said, target.key) };
}

/** `x-should-retry: false` is the server's own word that the same again is no use; so is a limit that only money lifts. */
function isRetried(failed: Extract<Stop, { kind: "error" }>, refusal: Refusal, headers: Headers | null): boolean {
  if (failed.reason === "billing" || headers?.get("x-should-retry") === "false") return false;
  if (refusal.status !== null) return retriedStatuses.has(refusal.status);
  return failed.reason === "overloaded" || failed.reason === "rate-limit" || failed.reason === "server";
}

/** How a body that came to its end was cut, if it was. */
function cutOf(reading: Reading, type: string, watch: Watch, signal: AbortSignal): Stop | undefined {
  if (reading.ended) return undefined;
  if (signal.aborted || watch.stalled || reading.known > 0) return cutStop(watch, signal);
  if (type === "text/html" || type === "application/json") {
    return protocol(`The server answered with ${type} in place of a stream of messages. Check the base URL in the settings.`);
  }
  return {
    kind: "error",
    reason: "empty",
    message: "The server answered with nothing that Vibey can read. Check the base URL, or try again.",
  };
}

function cutStop(watch: Watch, signal: AbortSignal): Stop {
  if (signal.aborted) return { kind: "aborted" };
  if (watch.stalled) return { kind: "interrupted", message: "The response stalled: nothing came for too long." };
  return { kind: "interrupted", message: "The connection was cut before the response ended." };
}

function protocol(message: string): Extract<Stop, { kind: "error" }> {
  return { kind: "error", reason: "protocol", message };
}

/** After an abort what is left of the text is still given, but no call: nobody would expect it to run. */
function* unlessAborted(events: readonly ProviderEvent[], signal: AbortSignal): Generator<ProviderEvent> {
  for (const event of events) if (!signal.aborted || event.type === "text") yield event;
}

/** Some servers do not stream although they were asked to. */
async function* wholeBody(response: Response): AsyncGenerator {
  const message: unknown = await response.json();
  if (!isObject(message)) return;
  if (message["type"] === "message") yield* eventsOfWhole(message);
  else yield message;
}

async function* nothing(): AsyncGenerator {}
