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
    /** The body of an error response. The SDK keeps only its `error` field, but many servers describe errors elsewhere. */
    let refused: string | null = null;
    const client = new sdk.OpenAI({
      baseURL: target.root,
      // Set here so that the SDK looks for no other credential.
      apiKey: target.key === "" ? "none" : target.key,
      organization: null,
      project: null,
      defaultHeaders: target.key === "" ? { authorization: null } : {},
      dangerouslyAllowBrowser: true,
      // Vibey retries itself: the retries of this version of the SDK can't be stopped.
      maxRetries: 0,
      // The watch measures the time. The SDK's own timeout ends with the response's headers.
      timeout: 2 * limits.firstByteMs,
      fetch: async (input, init) => {
        const response = await watch.fetch(input, init);
        if (response.ok) return response;
        refused = await response.text();
        return new Response(refused === "" ? null : refused, { status: response.status, headers: response.headers });
      },
      logLevel: "off",
    });
    return {
      post: (path, body) => postJson(client, path, body),
      get: (path, query) => client.get<unknown>(path, { query }),
      refusal(error) {
        if (!(error instanceof sdk.APIError) || error instanceof sdk.APIConnectionError) return null;
        if (typeof error.status !== "number") return { status: statusIn(error.error), ...readBody({ error: error.error }, null) };
        return { status: error.status, ...readBody(jsonOf(refused ?? ""), refused) };
      },
      isUnreachable: (error) => error instanceof sdk.APIConnectionError,
    };
  };
}

/** Null: the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** `[DONE]` ends a stream of Chat Completions, even if the server keeps the connection open. */
export function isDone(event: Uint8Array): boolean {
  return event.length <= 64 && /^data: ?\[DONE\]/m.test(new TextDecoder().decode(event));
}
