import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import { responsesInput } from "../../prompt/openai-responses.ts";
import { isBlank, wellFormed } from "../../prompt/text.ts";
import type { ProviderRequest } from "../provider.ts";
import { objectSchema } from "./chat-request.ts";

/** The API accepts no lower number. */
const fewestTokens = 16;

/** Fields of a request that may be left out. */
export const optionalResponsesFields: readonly string[] = ["store"];

/**
 * The body of one request of Responses. The server keeps nothing: `store` is false, and each request carries the whole dialog.
 * `strict` is set because its default is true in this API, and the server would then rewrite the schemas.
 */
export function responsesRequest(request: ProviderRequest, tokens: number, without: readonly string[]): ResponseCreateParamsStreaming {
  const instructions = wellFormed(request.system);
  return {
    model: request.model,
    max_output_tokens: Math.max(fewestTokens, tokens),
    stream: true,
    ...(without.includes("store") ? {} : { store: false }),
    ...(isBlank(instructions) ? {} : { instructions }),
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map(({ name, description, inputSchema }) => ({
            type: "function",
            name,
            description,
            parameters: objectSchema(inputSchema),
            strict: false,
          })),
        }),
    input: responsesInput(request.dialog),
  };
}
