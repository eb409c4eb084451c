import { isObject } from "../prompt/json.ts";
import { limits } from "../../protocol/limits.ts";
import { cutOf, cutStop, protocol } from "./cut.ts";
import type { ProviderDeps } from "./deps.ts";
import { ErrorEvent, explain, type ErrorContext, type Refusal, retryReason, unreachable, unreachedReason } from "./errors.ts";
import { scrub } from "./key.ts";
import type { ModelListing } from "./model-list.ts";
import { oneLine } from "./one-line.ts";
import type { ModelList, Provider, ProviderEvent, ProviderRequest, Stop } from "./provider.ts";
import { retriedStatuses, retryAfter, retryDelay, retryDelayInText, sleep } from "./retry.ts";
import { readTarget, type Target, type WireSettings } from "./target.ts";
import { createWatch } from "./watch.ts";
import type { WireRequest, Exchange, OpenTransport, Wire } from "./wire.ts";

type ErrorStop = Extract<Stop, { kind: "error" }>;

/** How one request ended. */
type Attempt =
  | { readonly kind: "done"; readonly stop: Stop }
  /** The server refused before anything of a response was shown. */
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly headers: Headers | null }
  | { readonly kind: "unreachable" };

/** The most refusals that one response may learn from: a server that always sends another one is broken. */
const maxLessons = 15;

/** A provider over HTTP. `settings` is called for each request. */
export function wireProvider(wire: Wire, settings: () => WireSettings, deps: ProviderDeps, listing: ModelListing): Provider {
  async function* answer(request: ProviderRequest, signal: AbortSignal): AsyncGenerator<ProviderEvent, Stop> {
    const found = readTarget(settings(), wire);
    if (!found.ok) return found.stop;
    const { target } = found;
    const place = errorContextOf(target, request.model);
    const exchange = wire.exchange(request, target);
    let lessons = 0;
    for (let tried = 1; ; tried++) {
      const attempt = yield* ask(target, exchange, place, signal);
      if (signal.aborted) return { kind: "aborted" };
      if (attempt.kind === "done") return attempt.stop;

      let delayMs: number | null = null;
      let failed: ErrorStop;
      /** Shown during the wait. Without advice, because the user needs to do nothing. */
      let reason: string;
      if (attempt.kind === "unreachable") {
        failed = unreachable(place, deps.online());
        reason = unreachedReason(place);
        // A page can't distinguish a short network failure from a wrong URL, so it retries only once.
        if (tried === 1 && !target.local && deps.online()) delayMs = retryDelay(null, tried, deps.random);
      } else {
        const { refusal, headers } = attempt;
        if (lessons < maxLessons && exchange.learn(refusal)) {
          lessons++;
          tried--;
          continue;
        }
        reason = retryReason(refusal, place);
        const now = deps.timers.now();
        const told = retryAfter(headers, now);
        const asked = told ?? refusal.waitMs;
        failed = askedToWait(explain(refusal, place), asked, now);
        if (isRetried(failed, refusal, headers)) {
          const isInText = told === null && refusal.waitMs !== null;
          delayMs = isInText ? retryDelayInText(refusal.waitMs, tried, deps.random) : retryDelay(told, tried, deps.random);
        }
      }
      if (delayMs === null || tried >= limits.requestTries) return failed;
      yield { type: "retry", delayMs, reason };
      if (!(await sleep(delayMs, deps.timers, signal))) return { kind: "aborted" };
      // If the key or the address was changed during the wait, the old one must not be used again.
      if (JSON.stringify(readTarget(settings(), wire)) !== JSON.stringify(found)) return yield* answer(request, signal);
    }
  }

  /** Sends one request and yields the response's events. Never throws. */
  async function* ask(
    target: Target,
    exchange: Exchange,
    place: ErrorContext,
    signal: AbortSignal,
  ): AsyncGenerator<ProviderEvent, Attempt> {
    const open = await loaded(signal);
    if (open === null) return { kind: "done", stop: notLoaded(wire) };
    const asked = exchange.next();
    const { reading } = asked;
    const { thinkingMs = limits.streamIdleMs, isLast, tidy } = wire;
    const firstByteMs = target.official ? thinkingMs : limits.firstByteMs;
    const idleMs = () => (reading.shown ? limits.streamIdleMs : thinkingMs);
    const watch = createWatch(deps, { signal, firstByteMs, idleMs, isLast, tidy });
    const line = open(target, watch);
    const noted = (events: readonly ProviderEvent[]) => noteUsage(events, (tokens) => listing.took(target, place.model, tokens));
    const why = (error: unknown) => ` (${oneLine(place.scrub(String(error)))})`;
    let answered = false;
    let taken = false;
    try {
      const { events: streamed, response } = await line.post(asked.path, asked.body);
      answered = true;
      const type = (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
      const body = type === "application/json" ? wholeBody(response, asked) : type === "text/html" ? nothing(response) : streamed;
      for await (const event of body) {
        if (signal.aborted) break;
        if (isError(event)) throw new ErrorEvent(event);
        const events = reading.push(event);
        if (!taken && reading.known > 0) {
          taken = true;
          exchange.taken?.();
        }
        yield* noted(events);
        if (reading.over) break;
        // Some servers send a finish reason before anything else.
        const restMs = reading.shown ? limits.afterEndMs : thinkingMs;
        watch.hurry(reading.ended && reading.unsure !== true ? restMs : null);
      }
      const end = reading.finish(cutOf(reading, type, watch, signal));
      yield* unlessAborted(noted(end.events), signal);
      return { kind: "done", stop: end.stop };
    } catch (error) {
      if (error instanceof ErrorEvent) yield* unlessAborted(noted(error.events), signal);
      const refusal = error instanceof ErrorEvent ? error.refusal : line.refusal(error);
      let cut: Stop | undefined;
      // Errors after the response's end don't matter. A reason that comes with each piece, or before anything else, is no end.
      if (reading.ended && reading.unsure !== true && (reading.shown || refusal === null)) cut = undefined;
      else if (signal.aborted || watch.stalled) cut = cutStop(watch, signal);
      else if (refusal !== null) {
        if (!reading.shown) return { kind: "refused", refusal, headers: headersOf(error) };
        cut = explain(refusal, place);
      } else if (line.isUnreachable(error)) return { kind: "unreachable" };
      else if (error instanceof SyntaxError) cut = protocol(`${target.host} sent something that isn't JSON. Try again.${why(error)}`);
      else if (answered) cut = cutStop(watch, signal);
      else cut = protocol(`The connection to ${target.host} failed. Try again.${why(error)}`);
      const end = reading.finish(cut);
      yield* unlessAborted(end.events, signal);
      return { kind: "done", stop: end.stop };
    }
  }

  /** Null: the signal aborted, or that part of the app couldn't be loaded. */
  function loaded(signal: AbortSignal): Promise<OpenTransport | null> {
    if (signal.aborted) return Promise.resolve(null);
    const aborted = new Promise<null>((resolve) => signal.addEventListener("abort", () => resolve(null), { once: true }));
    return Promise.race([wire.load(), aborted]);
  }

  return {
    name: wire.name,

    async *stream(request, signal) {
      // The reader may stop at any event, and then no one else would abort the request.
      const left = new AbortController();
      const either = AbortSignal.any([signal, left.signal]);
      try {
        const stop = either.aborted ? ({ kind: "aborted" } as const) : yield* answer(request, either);
        yield { type: "end", stop };
      } finally {
        left.abort();
      }
    },

    window(model) {
      const found = readTarget(settings(), wire);
      return listing.window(found.ok ? found.target : null, model);
    },

    prices() {
      const found = readTarget(settings(), wire);
      return listing.prices(found.ok ? found.target : null);
    },

    async models(signal): Promise<ModelList> {
      const found = readTarget(settings(), wire);
      if (!found.ok) return { ok: false, message: found.stop.message };
      const { target } = found;
      const place = errorContextOf(target, "");
      const open = await loaded(signal);
      if (open === null) return { ok: false, message: signal.aborted ? stopped : notLoaded(wire).message };
      const watch = createWatch(deps, { signal, firstByteMs: limits.streamIdleMs, idleMs: () => limits.streamIdleMs });
      const line = open(target, watch);
      try {
        const models = await wire.list(line, target);
        listing.keep(target, models);
        return { ok: true, models: models.map(({ id }) => id) };
      } catch (error) {
        if (signal.aborted) return { ok: false, message: stopped };
        if (watch.stalled) return { ok: false, message: `${target.host} isn't responding.` };
        const refusal = line.refusal(error);
        if (refusal !== null && refusal.status !== 404) return { ok: false, message: explain(refusal, place).message };
        if (line.isUnreachable(error)) return { ok: false, message: unreachable(place, deps.online()).message };
        return { ok: false, message: `${target.host} didn't return a readable model list. Enter the model name instead.` };
      }
    },
  };
}

const stopped = "Stopped.";

/** Reports used tokens to the model's listing, because they say something about the model's window. */
function noteUsage(events: readonly ProviderEvent[], took: (tokens: number) => void): readonly ProviderEvent[] {
  for (const event of events) if (event.type === "usage") took(event.usage.input + event.usage.output);
  return events;
}

function notLoaded({ title }: Wire): ErrorStop {
  const message = `Couldn't load the part of Vibey that talks to ${title}. Check your connection, then reload the page.`;
  return { kind: "error", reason: "unreachable", message };
}

/** Adds to the error how long the server asks to wait, if it does. */
function askedToWait(failed: ErrorStop, ms: number | null, now: number): ErrorStop {
  if (ms === null || ms > limits.retryAfterShownMs) return failed;
  const until = new Date(now + ms).toISOString();
  const day = until.slice(0, 10) === new Date(now).toISOString().slice(0, 10) ? "" : `${until.slice(0, 10)} `;
  return { ...failed, message: `${failed.message} It asks to wait ${duration(ms)}, until ${day}${until.slice(11, 19)} UTC.` };
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [value, unit] =
    seconds < 120 ? [seconds, "second"] : seconds < 7200 ? [Math.ceil(seconds / 60), "minute"] : [Math.ceil(seconds / 3600), "hour"];
  return `${value} ${unit}${value === 1 ? "" : "s"}`;
}

function isError(event: unknown): boolean {
  if (!isObject(event)) return false;
  const { error } = event;
  return event["type"] === "error" || event["object"] === "error" || isObject(error) || (typeof error === "string" && error !== "");
}

function headersOf(error: unknown): Headers | null {
  const headers: unknown = typeof error === "object" && error !== null && "headers" in error ? error.headers : null;
  return headers instanceof Headers ? headers : null;
}

function errorContextOf({ host, local, key }: Target, model: string): ErrorContext {
  return { host, local, model, keyless: key === "", scrub: (said) => scrub(said, key) };
}

/** Whether to retry. Not if the server sends `x-should-retry: false`, nor for errors of billing or size, which a retry can't fix. */
function isRetried(failed: ErrorStop, refusal: Refusal, headers: Headers | null): boolean {
  if (failed.reason === "billing" || failed.reason === "too-large" || headers?.get("x-should-retry") === "false") return false;
  if (refusal.status !== null) return retriedStatuses.has(refusal.status);
  return failed.reason === "overloaded" || failed.reason === "rate-limit" || failed.reason === "server";
}

/** After an abort, the rest of the text is still yielded, but no calls, because the user doesn't expect them to run. */
function* unlessAborted(events: readonly ProviderEvent[], signal: AbortSignal): Generator<ProviderEvent> {
  for (const event of events) if (!signal.aborted || event.type === "text") yield event;
}

/** The events of a response that wasn't streamed: some servers ignore `stream`. */
async function* wholeBody(response: Response, asked: WireRequest): AsyncGenerator {
  const given: unknown = await response.json();
  // Gemini sends a list with a single error.
  const message: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
  if (isObject(message)) yield* (isError(message) ? null : asked.whole(message)) ?? [message];
}

/** Discards an HTML page without reading it. */
// oxlint-disable-next-line require-yield
async function* nothing(response: Response): AsyncGenerator {
  await response.body?.cancel();
}
