import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import { responsesInput } from "../../prompt/openai-responses.ts";
import { isBlank, wellFormed } from "../../prompt/text.ts";
import type { ProviderRequest } from "../provider.ts";
import { objectSchema } from "./chat-request.ts";

/** The wire takes no lower number. */
const fewestTokens = 16;

/** What a request has that a server could do without. */
export const optionalResponsesFields: readonly string[] = ["store"];

/**
 * The body of one request of Responses. Nothing is left with the server: `store` is false, and each request carries the
 * whole dialog. `strict` is said, because left out it means true here, and the server would rewrite the schemas.
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
