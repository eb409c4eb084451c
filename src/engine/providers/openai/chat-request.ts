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

/** What a request has that a server could do without. */
export const optionalChatFields: readonly string[] = ["stream_options"];

/**
 * The body of one request of Chat Completions. Nothing in it but what is needed: no sampling parameters, no reasoning
 * effort unless a server wants it, since some models refuse it beside tools, and no `parallel_tool_calls`, whose default is right and which many
 * servers do not know.
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

/** The same object for the same words, so that what was written of the messages behind it is found again (`body-json.ts`). */
function systemMessage(role: SystemRole, content: string): WireMessage {
  if (lastSystem.role !== role || lastSystem.content !== content) lastSystem = { role, content };
  return lastSystem;
}

function chatTool({ name, description, inputSchema }: ToolDefinition): ChatCompletionTool {
  return { type: "function", function: { name, description, parameters: objectSchema(inputSchema) } };
}

/** Some servers refuse a schema of an object that names no properties. */
export function objectSchema(schema: JsonObject): JsonObject {
  return { properties: {}, ...schema, type: "object" };
}
