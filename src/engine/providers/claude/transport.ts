import { limits } from "../../../protocol/limits.ts";
import { readBody, statusIn } from "../errors.ts";
import { postJson } from "../post-json.ts";
import type { Transport, OpenTransport } from "../wire.ts";

type Sdk = typeof import("./sdk.ts");

/** Null: that part of the app couldn't be loaded. */
export function loadLine(): Promise<OpenTransport | null> {
  return import("./sdk.ts").then(openWith, () => null);
}

function openWith(sdk: Sdk): OpenTransport {
  return (target, watch): Transport => {
    const client = new sdk.BaseAnthropic({
      baseURL: target.base,
      // The key is sent as `x-api-key`, with the first version of the API: docs/decisions/claude-wire.md. It is set here so that
      // the SDK looks for no other credential.
      apiKey: target.key === "" ? "none" : target.key,
      defaultHeaders: { authorization: null, "anthropic-version": "2023-06-01", "x-api-key": target.key === "" ? null : target.key },
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
      // The watch measures the time. The SDK's own timeout ends with the response's headers.
      timeout: 2 * limits.firstByteMs,
      fetch: watch.fetch,
      logLevel: "off",
      openTelemetry: false,
    });
    return {
      post: (path, body) => postJson(client, path, body),
      get: (path, query) => client.get<unknown>(path, { query }),
      refusal(error) {
        if (!(error instanceof sdk.APIError) || error instanceof sdk.APIConnectionError) return null;
        const body: unknown = error.error;
        const status: number | null = typeof error.status === "number" ? error.status : statusIn(body);
        // If the body isn't JSON, the SDK puts it into the message, after the status.
        const raw =
          body === undefined || body === null ? error.message.replace(/^\d+ /, "").replace(/^status code \(no body\)$/, "") : null;
        return { status, ...readBody(body, raw) };
      },
      isUnreachable: (error) => error instanceof sdk.APIConnectionError,
    };
  };
}
