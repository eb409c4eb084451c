import type { JsonObject } from "../../dialog/model.ts";
import type { Refusal } from "./errors.ts";
import type { Listed } from "./listed.ts";
import type { ProviderEvent, ProviderName, ProviderRequest, Stop } from "./provider.ts";
import type { Target, Whose } from "./target.ts";
import type { Watch } from "./watch.ts";

/** The API-specific parts of a provider. `wire-provider.ts` makes a provider from them. */
export interface Wire extends Whose {
  readonly name: ProviderName;
  /** Whether an event is the last one of a body. See `WatchOptions`. */
  readonly isLast?: (event: Uint8Array) => boolean;
  /** Rewrites an event for the SDK. See `WatchOptions`. */
  readonly tidy: (event: Uint8Array) => Uint8Array;
  /** Milliseconds for which servers may send nothing while a model thinks. Missing: they send signs of life. */
  readonly thinkingMs?: number;
  /** Loads the SDK. Null if it can't be loaded. */
  readonly load: () => Promise<OpenTransport | null>;
  /** The requests for one response. */
  readonly exchange: (request: ProviderRequest, target: Target) => Exchange;
  /** The models that a server lists, best first. */
  readonly list: (line: Transport, target: Target) => Promise<readonly Listed[]>;
}

export type OpenTransport = (target: Target, watch: Watch) => Transport;

/** An SDK, which is only used to send requests and to decode streams. Only this interface knows the SDK's errors. */
export interface Transport {
  post(path: string, body: object): Promise<{ readonly events: AsyncIterable<unknown>; readonly response: Response }>;
  get(path: string, query: Record<string, string | number>): Promise<unknown>;
  /** Null: the error doesn't come from the server. The connection was cut, or the answer was unreadable. */
  refusal(error: unknown): Refusal | null;
  isUnreachable(error: unknown): boolean;
}

/** One response may need several requests. Each uses everything known by then. */
export interface Exchange {
  next(): WireRequest;
  /** Learns from a refusal. True: the next request differs, so it is sent at once. */
  learn(refusal: Refusal): boolean;
  /** The server accepted the last request, so what was learned for it is stored. */
  taken?(): void;
}

export interface WireRequest {
  readonly path: string;
  readonly body: object;
  readonly reading: Reading;
  /** Converts a response that wasn't streamed to the events of a stream. Null if it isn't a response of this API. */
  readonly whole: (message: JsonObject) => readonly unknown[] | null;
}

/** Reads the events of one response. Accepts whatever a server sends, and skips what it doesn't know. */
export interface Reading {
  /** The response ended by itself. */
  readonly ended: boolean;
  /** More arrived after the server had said that the response was over, so that can't be trusted. */
  readonly unsure?: boolean;
  /** The response ended, and nothing important can follow. */
  readonly over: boolean;
  /** Anything of the response was passed on or held back that the user or the model could miss. */
  readonly shown: boolean;
  /** How many events were understood. Zero after the whole body means that it wasn't a stream of this API. */
  readonly known: number;
  push(event: unknown): ProviderEvent[];
  /** Returns what was held back. `cut`: how the response was cut off, if it did not end. Then only complete calls are returned. */
  finish(cut?: Stop): { readonly events: ProviderEvent[]; readonly stop: Stop };
}
