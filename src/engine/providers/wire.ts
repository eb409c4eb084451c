import type { JsonObject } from "../../dialog/model.ts";
import type { Refusal } from "./errors.ts";
import type { Listed } from "./listed.ts";
import type { ProviderEvent, ProviderName, ProviderRequest, Stop } from "./provider.ts";
import type { Target, Whose } from "./target.ts";
import type { Watch } from "./watch.ts";

/** What a wire is made of; `wire-provider.ts` makes a provider of it. */
export interface Wire extends Whose {
  readonly name: ProviderName;
  /** Whether nothing follows an event of the body; see `WatchOptions`. */
  readonly isLast?: (event: Uint8Array) => boolean;
  /** Rewrites an event for its SDK; see `WatchOptions`. */
  readonly tidy: (event: Uint8Array) => Uint8Array;
  /** Milliseconds for which its servers may send nothing while their model thinks; left out: they send signs of life. */
  readonly thinkingMs?: number;
  /** Loads the SDK; null when it can't be loaded. */
  readonly load: () => Promise<OpenTransport | null>;
  /** The way through one response. */
  readonly exchange: (request: ProviderRequest, target: Target) => Exchange;
  /** The models that a server lists, best first. */
  readonly list: (line: Transport, target: Target) => Promise<readonly Listed[]>;
}

export type OpenTransport = (target: Target, watch: Watch) => Transport;

/** An SDK, used for requests and the decoding of streams alone. Its errors are told apart here and nowhere else. */
export interface Transport {
  post(path: string, body: object): Promise<{ readonly events: AsyncIterable<unknown>; readonly response: Response }>;
  get(path: string, query: Record<string, string | number>): Promise<unknown>;
  /** null: the error is not the server's word but a cut, or something unreadable. */
  refusal(error: unknown): Refusal | null;
  isUnreachable(error: unknown): boolean;
}

/** One response may take several requests: each is made of all that is known by then. */
export interface Exchange {
  next(): WireRequest;
  /** Takes from a refusal what it teaches. True: the next request is another one, so it is sent at once. */
  learn(refusal: Refusal): boolean;
  /** The server took the last request and answers it: what was learned on the way to it holds. */
  taken?(): void;
}

export interface WireRequest {
  readonly path: string;
  readonly body: object;
  readonly reading: Reading;
  /** The events that a stream would have had, of a response that came whole; null when it is no response of this wire. */
  readonly whole: (message: JsonObject) => readonly unknown[] | null;
}

/** Reads the events of one response. Takes whatever a server sends: what is not known is skipped. */
export interface Reading {
  /** The response ended by itself. */
  readonly ended: boolean;
  /** More came after it had said that it was over, so that word of it can't be trusted. */
  readonly unsure?: boolean;
  /** It ended, and nothing that matters can follow. */
  readonly over: boolean;
  /** Anything of the response was given or held that a human or a model could miss. */
  readonly shown: boolean;
  /** How many events made sense. Zero after a whole body means that it was no stream of this wire. */
  readonly known: number;
  push(event: unknown): ProviderEvent[];
  /** Gives what was held back. `cut` is how it was cut when it did not end; calls are given only after an end. */
  finish(cut?: Stop): { readonly events: ProviderEvent[]; readonly stop: Stop };
}
