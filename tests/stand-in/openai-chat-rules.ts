import {
  alwaysThinks,
  checkArguments,
  checkCount,
  checkEffort,
  checkFields,
  checkLength,
  checkModel,
  checkName,
  checkString,
  checkText,
  checkTools,
  isObject,
  isReasoning,
  isResponsesOnly,
  type Loose,
  outputLimit,
  refuse,
  refusedBy,
  type RuleOptions,
  shown,
  thinksByDefault,
  wrongType,
} from "./openai-rule.ts";
import type { Refused } from "./serve.ts";

const topFields = [
  "model",
  "messages",
  "stream",
  "stream_options",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "max_tokens",
  "max_completion_tokens",
  "reasoning_effort",
  "temperature",
  "top_p",
  "n",
  "stop",
  "store",
  "metadata",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "response_format",
  "seed",
  "service_tier",
  "verbosity",
];

/**
 * What Chat Completions refuses, in its own words where they are known. Where the API is known to be lenient but a compatible server isn't, the
 * stand-in is as strict as that server; such rules say "stand-in" in their message.
 *
 * Returns null if the body is accepted. `raw` is the body as it arrived.
 */
export function refusedChat(raw: string, options: RuleOptions): Refused | null {
  return refusedBy(raw, (body) => {
    for (const field of Object.keys(body)) {
      if (!topFields.includes(field) || options.unknownFields?.includes(field)) refuse(`Unrecognized request argument supplied: ${field}`);
    }
    const model = checkModel(body, options, (id) =>
      refuse(`The model \`${id}\` does not exist or you do not have access to it.`, "model", "model_not_found", 404),
    );
    if (isResponsesOnly(model)) {
      refuse("This model is only supported in v1/responses and not in v1/chat/completions.", "model", null, 404);
    }
    checkSampling(body, model);
    checkTokens(body, model, options);
    checkStream(body);
    const hasTools = checkTools(body, (tool, at) => {
      if (tool["type"] !== "function")
        refuse(`Invalid value: '${shown(tool["type"])}'. Supported values are: 'function' and 'custom'.`, `${at}.type`);
      checkFields(tool, ["type", "function"], at);
      if (!isObject(tool["function"]))
        return refuse(`Missing required parameter: '${at}.function'.`, `${at}.function`, "missing_required_parameter");
      checkFields(tool["function"], ["name", "description", "parameters", "strict"], `${at}.function`);
      return { tool: tool["function"], at: `${at}.function` };
    });
    checkThinking(body, model, hasTools);
    checkMessages(body["messages"], options);
  });
}

function checkSampling(body: Loose, model: string): void {
  if (body["n"] !== undefined && body["n"] !== 1) refuse("n: one response at a time (stand-in)", "n");
  for (const field of ["temperature", "top_p"]) {
    const value = body[field];
    if (value === undefined || value === null || !isReasoning(model) || value === 1) continue;
    refuse(
      `Unsupported value: '${field}' does not support ${shown(value)} with this model. Only the default (1) value is supported.`,
      field,
      "unsupported_value",
    );
  }
}

function checkTokens(body: Loose, model: string, options: RuleOptions): void {
  if ("max_tokens" in body && isReasoning(model) && !options.unknownFields?.includes("max_completion_tokens")) {
    refuse(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      "max_tokens",
      "unsupported_parameter",
    );
  }
  if ("max_tokens" in body && "max_completion_tokens" in body) {
    refuse("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.", "max_tokens");
  }
  for (const field of ["max_tokens", "max_completion_tokens"]) checkCount(body[field], field, 1, outputLimit(model));
}

function checkStream(body: Loose): void {
  const options = body["stream_options"];
  if (options === undefined || options === null) return;
  if (body["stream"] !== true) refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options");
  if (!isObject(options)) return wrongType("stream_options", "an object", options);
  checkFields(options, ["include_usage", "include_obfuscation"], "stream_options");
}

function checkThinking(body: Loose, model: string, hasTools: boolean): void {
  const effort = body["reasoning_effort"];
  checkEffort(effort, model, "reasoning_effort");
  if (!hasTools || !isReasoning(model)) return;
  const asked = effort !== undefined && effort !== null && effort !== "none";
  if (alwaysThinks(model) || (thinksByDefault(model) && effort !== "none")) {
    refuse(
      `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
      "reasoning_effort",
    );
  }
  if (asked && /^gpt-5\.[45]/.test(model)) {
    refuse(
      `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. Please use /v1/responses instead.`,
      "reasoning_effort",
    );
  }
}

const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  system: ["role", "content", "name"],
  developer: ["role", "content", "name"],
  user: ["role", "content", "name"],
  assistant: ["role", "content", "tool_calls", "name", "refusal"],
  tool: ["role", "content", "tool_call_id"],
};

function checkMessages(messages: unknown, options: RuleOptions): void {
  if (messages === undefined) return refuse("Missing required parameter: 'messages'.", "messages", "missing_required_parameter");
  if (!Array.isArray(messages)) return wrongType("messages", "an array of objects", messages);
  if (messages.length === 0) {
    refuse(
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      "messages",
      "empty_array",
    );
  }
  let open: string[] = [];
  const everUsed = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    if (!isObject(message)) return wrongType(at, "an object", message);
    const role = checkRole(message, at, options);
    if (role === "tool") {
      const id = checkString(message["tool_call_id"], `${at}.tool_call_id`);
      if (!open.includes(id)) {
        if (everUsed.has(id)) refuse(`Duplicate value for 'tool_call_id' of '${id}' in message[${index}]`, `${at}.tool_call_id`);
        refuse("Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.", `${at}.role`);
      }
      checkContent(message["content"], `${at}.content`);
      open = open.filter((other) => other !== id);
      continue;
    }
    unanswered(open, at);
    open = role === "assistant" ? checkAssistant(message, at, everUsed) : [];
    if (role !== "assistant") checkContent(message["content"], `${at}.content`);
  }
  unanswered(open, `messages[${messages.length}]`);
  const last: unknown = messages.at(-1);
  if (isObject(last) && last["role"] === "assistant") refuse("messages: the last one must not be the assistant's (stand-in)", "messages");
}

function checkRole(message: Loose, at: string, options: RuleOptions): string {
  const role = message["role"];
  const known = Object.keys(fieldsOf).filter((name) => name !== "developer" || !options.noDeveloper);
  if (typeof role !== "string" || !known.includes(role)) {
    return refuse(
      `Invalid value: '${shown(role)}'. Supported values are: ${known.map((name) => `'${name}'`).join(", ")}.`,
      `${at}.role`,
      "invalid_value",
    );
  }
  checkFields(message, fieldsOf[role] ?? [], at);
  return role;
}

/** The ids of the message's calls. */
function checkAssistant(message: Loose, at: string, everUsed: Set<string>): string[] {
  const { content, tool_calls: calls } = message;
  if (calls === undefined || calls === null) {
    if (content === null || content === undefined) refuse("Invalid value for 'content': expected a string, got null.", `${at}.content`);
    checkContent(content, `${at}.content`);
    return [];
  }
  if (!Array.isArray(calls)) return wrongType(`${at}.tool_calls`, "an array of objects", calls);
  if (calls.length === 0) {
    refuse(
      `Invalid '${at}.tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
      `${at}.tool_calls`,
      "empty_array",
    );
  }
  if (content !== null && content !== undefined) checkContent(content, `${at}.content`);
  const ids: string[] = [];
  for (const [index, call] of calls.entries()) {
    const path = `${at}.tool_calls[${index}]`;
    if (!isObject(call)) return wrongType(path, "an object", call);
    checkFields(call, ["id", "type", "function"], path);
    const id = checkString(call["id"], `${path}.id`);
    checkLength(id, `${path}.id`, 40);
    if (call["type"] !== "function") refuse(`Missing required parameter: '${path}.type'.`, `${path}.type`, "missing_required_parameter");
    const inner = call["function"];
    if (!isObject(inner))
      return refuse(`Missing required parameter: '${path}.function'.`, `${path}.function`, "missing_required_parameter");
    checkFields(inner, ["name", "arguments"], `${path}.function`);
    checkName(inner["name"], `${path}.function.name`);
    checkArguments(inner["arguments"], `${path}.function.arguments`);
    if (everUsed.has(id)) refuse(`Duplicate value for 'tool_call_id' of '${id}' (stand-in: also across turns)`, `${path}.id`);
    everUsed.add(id);
    ids.push(id);
  }
  return ids;
}

function unanswered(open: readonly string[], at: string): void {
  if (open.length === 0) return;
  refuse(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`,
    `${at}.role`,
  );
}

function checkContent(content: unknown, path: string): void {
  if (!Array.isArray(content)) {
    if (content === null) return wrongType(path, "one of a string or array of objects", content);
    return checkText(content, path);
  }
  if (content.length === 0) refuse(`Invalid '${path}': empty array. Expected an array with minimum length 1.`, path, "empty_array");
  for (const [index, part] of content.entries()) {
    if (!isObject(part) || part["type"] !== "text")
      return refuse(`Invalid value for '${path}[${index}].type': only 'text' (stand-in)`, path);
    checkFields(part, ["type", "text"], `${path}[${index}]`);
    checkText(part["text"], `${path}[${index}].text`);
  }
}
