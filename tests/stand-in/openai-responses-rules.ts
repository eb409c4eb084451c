import {
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
  type Loose,
  outputLimit,
  refuse,
  refusedBy,
  type RuleOptions,
  shown,
  wrongType,
} from "./openai-rule.ts";
import type { Refused } from "./serve.ts";

const topFields = [
  "model",
  "input",
  "instructions",
  "stream",
  "stream_options",
  "store",
  "include",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "max_output_tokens",
  "max_tool_calls",
  "reasoning",
  "text",
  "temperature",
  "top_p",
  "truncation",
  "metadata",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "service_tier",
];

/** Fields of Chat Completions, and their names in this API. */
const moved: Readonly<Record<string, string>> = {
  messages: "input",
  max_tokens: "max_output_tokens",
  max_completion_tokens: "max_output_tokens",
  reasoning_effort: "reasoning.effort",
  response_format: "text.format",
};

/**
 * What Responses refuses, in its own words where they are known. Where the API is known to be lenient but a compatible server isn't, the
 * stand-in is as strict as that server; such rules say "stand-in" in their message.
 *
 * Returns null if the body is accepted. `raw` is the body as it arrived.
 */
export function refusedResponses(raw: string, options: RuleOptions): Refused | null {
  return refusedBy(raw, (body) => {
    for (const [field, now] of Object.entries(moved)) {
      if (!(field in body)) continue;
      refuse(
        `Unsupported parameter: '${field}'. In the Responses API, this parameter has moved to '${now}'. Try again with the new parameter. See the API documentation for more information: https://platform.openai.com/docs/api-reference/responses/create.`,
        field,
        "unsupported_parameter",
      );
    }
    checkFields(body, topFields, "", options.unknownFields);
    const model = checkModel(body, options, (id) => refuse(`The requested model '${id}' does not exist.`, "model", "model_not_found"));
    // The API stores by default. No one else may keep a dialog, and one compatible server accepts nothing else.
    if (body["store"] !== false) refuse("Store must be set to false (stand-in)", "store");
    checkSampling(body, model);
    checkCount(body["max_output_tokens"], "max_output_tokens", 16, outputLimit(model));
    checkReasoning(body["reasoning"], model);
    checkInclude(body["include"]);
    checkStream(body);
    if (body["instructions"] !== undefined) checkText(body["instructions"], "instructions");
    checkTools(body, (tool, at) => {
      if (tool["type"] !== "function")
        refuse(`Invalid value: '${shown(tool["type"])}' (stand-in: only 'function')`, `${at}.type`, "invalid_value");
      checkFields(tool, ["type", "name", "description", "parameters", "strict"], at);
      checkName(tool["name"], `${at}.name`);
      // The default is true, and then the server changes the schema.
      if (typeof tool["strict"] !== "boolean") {
        refuse(`Missing required parameter: '${at}.strict' (stand-in)`, `${at}.strict`, "missing_required_parameter");
      }
      return { tool, at };
    });
    checkInput(body["input"], options);
  });
}

function checkSampling(body: Loose, model: string): void {
  for (const field of ["temperature", "top_p"]) {
    if (body[field] === undefined || body[field] === null || !isReasoning(model)) continue;
    refuse(`Unsupported parameter: '${field}' is not supported with this model.`, field, "unsupported_parameter");
  }
}

function checkReasoning(reasoning: unknown, model: string): void {
  if (reasoning === undefined || reasoning === null) return;
  if (!isObject(reasoning)) return wrongType("reasoning", "an object", reasoning);
  checkFields(reasoning, ["effort", "summary"], "reasoning");
  checkEffort(reasoning["effort"], model, "reasoning.effort");
}

function checkInclude(include: unknown): void {
  if (include === undefined || include === null) return;
  if (!Array.isArray(include)) return wrongType("include", "an array of strings", include);
  for (const [index, value] of include.entries()) {
    if (value !== "reasoning.encrypted_content") refuse(`Invalid value: '${shown(value)}'.`, `include[${index}]`, "invalid_value");
  }
}

function checkStream(body: Loose): void {
  const options = body["stream_options"];
  if (options === undefined || options === null) return;
  if (body["stream"] !== true) refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options");
  if (!isObject(options)) return wrongType("stream_options", "an object", options);
  checkFields(options, ["include_obfuscation"], "stream_options");
}

interface Item {
  readonly type: string;
  readonly item: Loose;
  readonly at: string;
}

function checkInput(input: unknown, options: RuleOptions): void {
  if (input === undefined) return refuse("Missing required parameter: 'input'.", "input", "missing_required_parameter");
  if (typeof input === "string") return checkText(input, "input");
  if (!Array.isArray(input)) return wrongType("input", "one of a string or an array of objects", input);
  if (input.length === 0) {
    refuse(
      "Invalid 'input': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      "input",
      "empty_array",
    );
  }
  const items = input.map((item, index) => readItem(item, `input[${index}]`, options));
  checkCalls(items);
  checkReasoningItems(items);
  const last = items.at(-1);
  if (last?.type === "message" && last.item["role"] === "assistant") {
    refuse("input: the last item must not be the assistant's (stand-in)", last.at);
  }
}

function readItem(item: unknown, at: string, options: RuleOptions): Item {
  if (!isObject(item)) return wrongType(at, "an object", item);
  const type = shown(item["type"] ?? ("role" in item ? "message" : "none"));
  switch (type) {
    case "message":
      checkFields(item, ["type", "role", "content", "id", "status"], at);
      checkMessage(item, at, options);
      break;
    case "function_call":
      checkFields(item, ["type", "id", "call_id", "name", "arguments", "status"], at);
      checkOwnId(item["id"], `${at}.id`, "fc");
      checkLength(checkString(item["call_id"], `${at}.call_id`), `${at}.call_id`, 64);
      checkName(item["name"], `${at}.name`);
      checkArguments(item["arguments"], `${at}.arguments`);
      break;
    case "function_call_output":
      checkFields(item, ["type", "id", "call_id", "output", "status"], at);
      checkLength(checkString(item["call_id"], `${at}.call_id`), `${at}.call_id`, 64);
      checkText(item["output"], `${at}.output`);
      break;
    case "reasoning":
      checkFields(item, ["type", "id", "summary", "content", "encrypted_content", "status"], at);
      checkOwnId(checkString(item["id"], `${at}.id`), `${at}.id`, "rs");
      // Nothing is stored, so only what the item itself carries can be read.
      if (typeof item["encrypted_content"] !== "string") {
        refuse(
          `Item with id '${shown(item["id"])}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
          "input",
          null,
          404,
        );
      }
      break;
    default:
      return refuse(
        `Invalid value: '${type}'. Supported values are: 'message', 'reasoning', 'function_call', and 'function_call_output'.`,
        at,
        "invalid_value",
      );
  }
  return { type, item, at };
}

function checkOwnId(id: unknown, path: string, begin: string): void {
  if (id === undefined || id === null) return;
  if (typeof id === "string" && id.startsWith(begin)) return;
  refuse(`Invalid '${path}': '${shown(id)}'. Expected an ID that begins with '${begin}'.`, path, "invalid_value");
}

function checkMessage(item: Loose, at: string, options: RuleOptions): void {
  const { role, content } = item;
  const known = ["assistant", "system", "developer", "user"].filter((name) => name !== "developer" || !options.noDeveloper);
  if (typeof role !== "string" || !known.includes(role)) {
    refuse(
      `Invalid value: '${shown(role)}'. Supported values are: ${known.map((name) => `'${name}'`).join(", ")}.`,
      `${at}.role`,
      "invalid_value",
    );
  }
  if (!Array.isArray(content)) return checkText(content, `${at}.content`);
  if (content.length === 0) refuse(`Invalid '${at}.content': empty array (stand-in)`, `${at}.content`, "empty_array");
  const allowed = role === "assistant" ? ["output_text", "refusal"] : ["input_text", "input_image", "input_file"];
  for (const [index, part] of content.entries()) {
    const path = `${at}.content[${index}]`;
    if (!isObject(part)) return wrongType(path, "an object", part);
    if (!allowed.includes(shown(part["type"]))) {
      refuse(
        `Invalid value: '${shown(part["type"])}'. Supported values are: ${allowed.map((name) => `'${name}'`).join(", ")}.`,
        path,
        "invalid_value",
      );
    }
    if (part["type"] !== "refusal") checkText(part["text"], `${path}.text`);
  }
}

/** The API pairs calls and outputs wherever they are. One compatible server wants the outputs directly after the calls, so that is the rule here. */
function checkCalls(items: readonly Item[]): void {
  const used = new Set<string>();
  let open: string[] = [];
  let answering = false;
  for (const { type, item, at } of items) {
    const id = shown(item["call_id"]);
    if (type === "function_call") {
      if (answering && open.length > 0) refuse("A call stands between another call and its output (stand-in)", "input");
      answering = false;
      if (used.has(id))
        refuse(`Duplicate item found with call_id ${id} (stand-in). Remove duplicate items from your input and try again.`, at);
      used.add(id);
      open.push(id);
    } else if (type === "function_call_output") {
      if (!open.includes(id)) refuse(`No tool call found for function call output with call_id ${id}.`, "input");
      open = open.filter((other) => other !== id);
      answering = true;
    } else if (open.length > 0) refuse(`No tool output found for function call ${open[0]}.`, "input");
  }
  if (open.length > 0) refuse(`No tool output found for function call ${open[0]}.`, "input");
}

function checkReasoningItems(items: readonly Item[]): void {
  for (const [index, { type, item }] of items.entries()) {
    const next = items[index + 1];
    const follows =
      next?.type === "function_call" || next?.type === "reasoning" || (next?.type === "message" && next.item["role"] === "assistant");
    if (type === "reasoning" && !follows) {
      refuse(`Item '${shown(item["id"])}' of type 'reasoning' was provided without its required following item.`, "input");
    }
  }
}
