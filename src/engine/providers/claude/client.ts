import { limits } from "../../limits.ts";
import type { Watch } from "../watch.ts";
import { type Refusal, readBody } from "./errors.ts";
import type { Target } from "./target.ts";

export type Sdk = typeof import("./sdk.ts");
export type Client = InstanceType<Sdk["BaseAnthropic"]>;

/** null: the signal aborted, or that part of the app could not be loaded. */
export async function loadSdk(signal: AbortSignal): Promise<Sdk | null> {
  const aborted = new Promise<null>((resolve) => signal.addEventListener("abort", () => resolve(null), { once: true }));
  const sdk = import("./sdk.ts").then(
    (module) => module,
    () => null,
  );
  return signal.aborted ? null : Promise.race([sdk, aborted]);
}

export function clientOf(sdk: Sdk, target: Target, watch: Watch): Client {
  return new sdk.BaseAnthropic({
    baseURL: target.base,
    // The key travels as `x-api-key`, in the wire's first version: docs/decisions/claude-wire.md. Named here so that the
    // SDK looks for no other credential.
    apiKey: target.key === "" ? "none" : target.key,
    defaultHeaders: { authorization: null, "anthropic-version": "2023-06-01", "x-api-key": target.key === "" ? null : target.key },
    dangerouslyAllowBrowser: true,
    maxRetries: 0,
    // The watch counts the time; the SDK would stop counting at the response's headers.
    timeout: 2 * limits.firstByteMs,
    fetch: watch.fetch,
    logLevel: "off",
    openTelemetry: false,
  });
}

/** An error that came as an event of a stream but without the event's name. */
export class InStream extends Error {
  readonly body: { readonly type: string | null; readonly said: string | null };
  constructor(body: { readonly type: string | null; readonly said: string | null }) {
    super("error in the stream");
    this.body = body;
  }
}

/** null: the error is not the server's word but a cut, or something unreadable. */
export function refusalOf(sdk: Sdk, error: unknown): Refusal | null {
  if (error instanceof InStream) return { status: null, ...error.body };
  if (!(error instanceof sdk.APIError) || error instanceof sdk.APIConnectionError) return null;
  const status: number | null = typeof error.status === "number" ? error.status : null;
  const body: unknown = error.error;
  // The SDK puts a body that is no JSON into its message, behind the status.
  const raw = body === undefined || body === null ? error.message.replace(/^\d+ /, "").replace(/^status code \(no body\)$/, "") : null;
  return { status, ...readBody(body, raw) };
}

export function headersOf(error: unknown): Headers | null {
  const headers: unknown = typeof error === "object" && error !== null && "headers" in error ? error.headers : null;
  return headers instanceof Headers ? headers : null;
}
