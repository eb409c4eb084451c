import { limits } from "../../../protocol/limits.ts";
import { readBody, statusIn } from "../errors.ts";
import { postJson } from "../post-json.ts";
import type { Transport, OpenTransport } from "../wire.ts";

type Sdk = typeof import("./sdk.ts");

/** null: that part of the app could not be loaded. */
export function loadLine(): Promise<OpenTransport | null> {
  return import("./sdk.ts").then(openWith, () => null);
}

function openWith(sdk: Sdk): OpenTransport {
  return (target, watch): Transport => {
    /** The body of an answer that was an error. The SDK keeps of it what stands under `error`, and many servers write elsewhere. */
    let refused: string | null = null;
    const client = new sdk.OpenAI({
      baseURL: target.root,
      // Named here so that the SDK looks for no other credential.
      apiKey: target.key === "" ? "none" : target.key,
      organization: null,
      project: null,
      defaultHeaders: target.key === "" ? { authorization: null } : {},
      dangerouslyAllowBrowser: true,
      // Retries are ours; this version's own can't be stopped.
      maxRetries: 0,
      // The watch counts the time; the SDK would stop counting at the response's headers.
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

/** null: it is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** `[DONE]` ends every stream of Chat Completions that has it, whatever the server does with the connection. */
export function isDone(event: Uint8Array): boolean {
  return event.length <= 64 && /^data: ?\[DONE\]/m.test(new TextDecoder().decode(event));
}
