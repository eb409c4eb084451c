import type { ChatCompletionCreateParamsStreaming, ChatCompletionTool } from "openai/resources/chat/completions";
import type { JsonObject } from "../../../dialog/model.ts";
import { chatMessages } from "../../prompt/openai-chat.ts";
import { isBlank, wellFormed } from "../../prompt/text.ts";
import type { ProviderRequest, ToolDefinition } from "../provider.ts";
import type { Facts, SystemRole, TokensField } from "./facts.ts";
import { type Fit, fitted, type WireMessage } from "./fit.ts";

export interface ChatShape extends Pick<Facts, "without" | "effort">, Fit {
  readonly tokensField: TokensField | null;
  readonly tokens: number;
  readonly role: SystemRole;
}

/** Fields of a request that may be left out. */
export const optionalChatFields: readonly string[] = ["stream_options"];

/**
 * The body of one request of Chat Completions. It contains only what is needed: no sampling parameters, no reasoning effort unless a server
 * wants it (some models refuse it together with tools), and no `parallel_tool_calls`, whose default is right and which many servers don't know.
 */
export function chatRequest(request: ProviderRequest, shape: ChatShape): ChatCompletionCreateParamsStreaming {
  const system = wellFormed(request.system);
  let messages: WireMessage[] = chatMessages(request.dialog);
  if (!isBlank(system)) messages = [systemMessage(shape.role, system), ...messages];
  return {
    model: request.model,
    ...(shape.tokensField === null ? {} : { [shape.tokensField]: shape.tokens }),
    ...(shape.effort === undefined ? {} : { reasoning_effort: shape.effort }),
    stream: true,
    ...(shape.without?.includes("stream_options") ? {} : { stream_options: { include_usage: true } }),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(chatTool) }),
    messages: fitted(messages, shape),
  };
}

let lastSystem: WireMessage & { readonly content: string } = { role: "system", content: "" };

/** Returns the same object for the same text, so that the cached JSON of the messages after it is found (`body-json.ts`). */
function systemMessage(role: SystemRole, content: string): WireMessage {
  if (lastSystem.role !== role || lastSystem.content !== content) lastSystem = { role, content };
  return lastSystem;
}

function chatTool({ name, description, inputSchema }: ToolDefinition): ChatCompletionTool {
  return { type: "function", function: { name, description, parameters: objectSchema(inputSchema) } };
}

/** Adds `properties`, because some servers refuse an object schema without it. */
export function objectSchema(schema: JsonObject): JsonObject {
  return { properties: {}, ...schema, type: "object" };
}
