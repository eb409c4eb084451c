import type { MessageCreateParamsStreaming, TextBlockParam, Tool } from "@anthropic-ai/sdk/resources/messages";
import { type ClaudeMessage, claudeMessages } from "../../prompt/claude.ts";
import { isBlank, wellFormed } from "../../prompt/text.ts";
import type { ProviderRequest, ToolDefinition } from "../provider.ts";

const cache = { cache_control: { type: "ephemeral" } } as const;

/**
 * The body of one request. It has no sampling parameters and no `thinking`: the newest models refuse both, and every model's
 * default is right for an agent. `withoutThinking`: for servers that require the model's thoughts to be sent back. Vibey doesn't keep them.
 *
 * There are four cache marks, the most that the API accepts: tools, system, and the ends of the last two user messages. The previous
 * request ended at the last but one, so its cache entry is found no matter how many blocks a turn has added. The server doesn't compare
 * the marks themselves, so they may move.
 */
export function claudeRequest(request: ProviderRequest, maxTokens: number, withoutThinking = false): MessageCreateParamsStreaming {
  const system = wellFormed(request.system);
  return {
    model: request.model,
    max_tokens: maxTokens,
    stream: true,
    ...(withoutThinking ? { thinking: { type: "disabled" } } : {}),
    ...(isBlank(system) ? {} : { system: [{ type: "text", text: system, ...cache } satisfies TextBlockParam] }),
    ...(request.tools.length === 0
      ? {}
      : { tools: request.tools.map((tool, index) => wireTool(tool, index === request.tools.length - 1)) }),
    messages: marked(claudeMessages(request.dialog)),
  };
}

function wireTool(tool: ToolDefinition, last: boolean): Tool {
  return {
    name: tool.name,
    description: tool.description,
    input_schema: { ...tool.inputSchema, type: "object" },
    ...(last ? cache : {}),
  };
}

function marked(messages: readonly ClaudeMessage[]): ClaudeMessage[] {
  const out = [...messages];
  let marks = 2;
  for (let at = out.length - 1; at >= 0 && marks > 0; at--) {
    const message = out[at];
    if (message?.role !== "user") continue;
    const last = message.content.length - 1;
    out[at] = { ...message, content: message.content.map((block, nth) => (nth === last ? { ...block, ...cache } : block)) };
    marks--;
  }
  return out;
}
