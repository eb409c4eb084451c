import type { Refused } from "./serve.ts";

export interface RuleOptions {
  readonly models: readonly string[];
}

interface Loose {
  readonly [key: string]: unknown;
}

/** The API's models on the day when these rules were written. */
export const realModels: readonly string[] = [
  "claude-fable-5-2",
  "claude-mythos-5-2",
  "claude-haiku-5-5",
  "claude-sonnet-5-5",
  "claude-opus-5-5",
  "claude-fable-5-1",
  "claude-mythos-5-1",
  "claude-sonnet-5",
  "claude-fable-5",
  "claude-opus-5",
  "claude-opus-4-8",
  "claude-opus-4-7",
  "claude-opus-4-6",
  "claude-sonnet-4-6",
  "claude-haiku-4-5",
  "claude-opus-4-5",
  "claude-sonnet-4-5",
];

/** Models that still accept a prefill, sampling parameters and manual thinking. */
const oldModels = /^claude-(haiku-4-5|opus-4-5|sonnet-4-5)/;
const newestFamily = /-5-5$/;

const outputLimit = (model: string) => (model === "claude-haiku-4-5" ? 64_000 : 128_000);

/**
 * What the Messages API refuses, in its own words where they are known. Where the API is known to be lenient but a compatible server isn't, the
 * stand-in is as strict as that server; such rules say "stand-in" in their message.
 *
 * Returns null if the body is accepted. `raw` is the body as it arrived.
 */
export function refusedBody(raw: string, options: RuleOptions): Refused | null {
  let body: unknown;
  try {
    body = JSON.parse(raw);
  } catch (error) {
    return invalid(`The request body is not valid JSON: ${String(error)}`);
  }
  if (hasLoneSurrogate(body)) return invalid("The request body is not valid JSON: no low surrogate in string: line 1 column 1 (char 0)");
  if (!isObject(body)) return invalid("Input should be a valid dictionary");
  try {
    checkTop(body, options);
    checkMessages(body);
  } catch (error) {
    if (error instanceof Refusal) return error.refused;
    throw error;
  }
  return null;
}

class Refusal extends Error {
  readonly refused: Refused;
  constructor(refused: Refused) {
    super(refused.message);
    this.refused = refused;
  }
}

function invalid(message: string): Refused {
  return { status: 400, type: "invalid_request_error", message };
}

function refuse(message: string): never {
  throw new Refusal(invalid(message));
}

const topFields = [
  "model",
  "max_tokens",
  "messages",
  "system",
  "tools",
  "tool_choice",
  "stream",
  "stop_sequences",
  "temperature",
  "top_p",
  "top_k",
  "thinking",
  "metadata",
  "cache_control",
  "service_tier",
];

function checkTop(body: Loose, options: RuleOptions): void {
  for (const field of Object.keys(body)) if (!topFields.includes(field)) refuse(`${field}: Extra inputs are not permitted`);
  const model = body["model"];
  if (typeof model !== "string") return refuse("model: Field required");
  if (!options.models.includes(model)) throw new Refusal({ status: 404, type: "not_found_error", message: `model: ${model}` });

  const maxTokens = body["max_tokens"];
  if (typeof maxTokens !== "number") return refuse("max_tokens: Field required");
  if (maxTokens < 1) refuse("max_tokens: Input should be greater than or equal to 1");
  if (maxTokens > outputLimit(model)) {
    refuse(`max_tokens: ${maxTokens} > ${outputLimit(model)}, which is the maximum allowed number of output tokens for ${model}`);
  }
  if (!oldModels.test(model)) {
    for (const field of ["temperature", "top_p", "top_k"]) if (field in body) refuse(`\`${field}\` is not supported for this model.`);
  }
  checkThinking(body["thinking"], model, maxTokens);
  checkSystem(body["system"]);
  checkTools(body, model);
  const marks = countMarks(body);
  if (marks > 4) refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
}

function checkThinking(thinking: unknown, model: string, maxTokens: number): void {
  if (thinking === undefined) return;
  if (!isObject(thinking)) return refuse("thinking: Input should be a valid dictionary");
  if (thinking["type"] === "enabled") {
    if (!oldModels.test(model)) refuse('"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive".');
    if (typeof thinking["budget_tokens"] !== "number" || thinking["budget_tokens"] >= maxTokens) {
      refuse("`max_tokens` must be greater than `thinking.budget_tokens`.");
    }
  }
  if (thinking["type"] === "disabled" && newestFamily.test(model)) refuse('"thinking.type.disabled" is not supported for this model.');
}

function checkSystem(system: unknown): void {
  if (system === undefined || typeof system === "string") return;
  if (!Array.isArray(system)) return refuse("system: Input should be a valid list");
  for (const [index, block] of system.entries()) {
    if (!isObject(block) || block["type"] !== "text") return refuse(`system.${index}.type: Input should be 'text'`);
    checkText(block["text"], "system");
    checkCache(block, `system.${index}`);
  }
}

function checkTools(body: Loose, model: string): void {
  const tools = body["tools"];
  if (tools !== undefined) {
    if (!Array.isArray(tools)) return refuse("tools: Input should be a valid list");
    const names = new Set<unknown>();
    for (const [index, tool] of tools.entries()) {
      const at = `tools.${index}.custom`;
      if (!isObject(tool)) return refuse(`${at}: Input should be a valid dictionary`);
      if (typeof tool["name"] !== "string" || !/^[a-zA-Z0-9_-]{1,128}$/.test(tool["name"])) {
        refuse(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
      }
      if (names.has(tool["name"])) refuse("tools: Tool names must be unique.");
      names.add(tool["name"]);
      const schema = tool["input_schema"];
      if (!isObject(schema)) return refuse(`${at}.input_schema: Field required`);
      if (schema["type"] !== "object") refuse(`${at}.input_schema.type: Input should be 'object'`);
      checkCache(tool, at);
    }
  }
  const choice = body["tool_choice"];
  if (choice === undefined) return;
  if (!Array.isArray(tools) || tools.length === 0) refuse("tool_choice: tool_choice may only be specified while providing tools");
  if (isObject(choice) && (choice["type"] === "any" || choice["type"] === "tool") && newestFamily.test(model)) {
    refuse("tool_choice: forced tool use is not supported for this model.");
  }
}

type Role = "user" | "assistant";
interface Message {
  readonly role: Role;
  readonly blocks: { readonly block: Loose; readonly at: string }[];
  /** The place in the request, before neighboring messages are merged. */
  readonly at: string;
}

function checkMessages(body: Loose): void {
  const messages = body["messages"];
  if (!Array.isArray(messages)) return refuse("messages: Field required");
  if (messages.length === 0) refuse("messages: at least one message is required");
  if (messages.length > 100_000) refuse("messages: List should have at most 100000 items");
  const read = messages.map((message, index) => readMessage(message, index, index === messages.length - 1));
  const merged: Message[] = [];
  for (const message of read) {
    const last = merged.at(-1);
    if (last?.role === message.role) last.blocks.push(...message.blocks);
    else merged.push({ ...message, blocks: [...message.blocks] });
  }
  checkCalls(merged);
  checkLast(merged, String(body["model"]));
}

function readMessage(message: unknown, index: number, last: boolean): Message {
  const at = `messages.${index}`;
  if (!isObject(message)) return refuse(`${at}: Input should be a valid dictionary`);
  for (const field of Object.keys(message)) {
    if (field !== "role" && field !== "content") refuse(`${at}.${field}: Extra inputs are not permitted`);
  }
  const role = message["role"];
  if (role === "system") {
    refuse(
      'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
    );
  }
  if (role !== "user" && role !== "assistant")
    return refuse(`messages: Unexpected role "${String(role)}". Allowed roles are "user" or "assistant"`);
  const content = message["content"];
  const list = typeof content === "string" ? (content === "" ? [] : [{ type: "text", text: content }]) : content;
  if (!Array.isArray(list)) return refuse(`${at}.content: Input should be a valid list`);
  if (list.length === 0 && !(last && role === "assistant")) {
    refuse(`${at}: all messages must have non-empty content except for the optional final assistant message`);
  }
  return {
    role,
    at,
    blocks: list.map((block, place) => ({ block: checkBlock(block, role, `${at}.content.${place}`), at: `${at}.content.${place}` })),
  };
}

function checkBlock(block: unknown, role: Role, at: string): Loose {
  if (!isObject(block)) return refuse(`${at}: Input should be a valid dictionary`);
  checkCache(block, at);
  switch (block["type"]) {
    case "text":
      checkText(block["text"], "messages");
      return only(block, ["type", "text", "cache_control"], `${at}.text`);
    case "tool_use":
      if (role !== "assistant") refuse(`${at}: \`tool_use\` blocks can only be in \`assistant\` messages`);
      checkId(block["id"], `${at}.tool_use.id`);
      if (typeof block["name"] !== "string" || !/^[a-zA-Z0-9_-]{1,128}$/.test(block["name"])) {
        refuse(`${at}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
      }
      if (!isObject(block["input"])) refuse(`${at}.tool_use.input: Input should be a valid dictionary`);
      return only(block, ["type", "id", "name", "input", "cache_control"], `${at}.tool_use`);
    case "tool_result":
      if (role !== "user") refuse(`${at}: \`tool_result\` blocks can only be in \`user\` messages`);
      checkId(block["tool_use_id"], `${at}.tool_result.tool_use_id`);
      checkResult(block["content"], at);
      if (block["is_error"] !== undefined && typeof block["is_error"] !== "boolean") {
        refuse(`${at}.tool_result.is_error: Input should be a valid boolean`);
      }
      return only(block, ["type", "tool_use_id", "content", "is_error", "cache_control"], `${at}.tool_result`);
    case "thinking":
    case "redacted_thinking":
      // The stand-in signs nothing, so no block can be its own.
      return refuse(`${at}: Invalid \`signature\` in \`thinking\` block`);
    default:
      return refuse(`${at}: Input tag '${String(block["type"])}' found using 'type' does not match any of the expected tags`);
  }
}

function checkResult(content: unknown, at: string): void {
  if (content === undefined || typeof content === "string") return;
  if (!Array.isArray(content)) return refuse(`${at}.tool_result.content: Input should be a valid list`);
  for (const [index, block] of content.entries()) {
    if (!isObject(block) || block["type"] !== "text") return refuse(`${at}.tool_result.content.${index}.type: Input should be 'text'`);
    checkText(block["text"], `${at}.tool_result`);
  }
}

function checkText(text: unknown, at: string): void {
  if (typeof text !== "string") return refuse(`${at}: text: Field required`);
  if (text === "") refuse(`${at}: text content blocks must be non-empty`);
  // White space according to Unicode and Python together.
  // oxlint-disable-next-line no-control-regex
  if (/^[\s\u0085\u001c-\u001f]*$/.test(text)) refuse(`${at}: text content blocks must contain non-whitespace text`);
}

function checkId(id: unknown, at: string): void {
  if (typeof id !== "string" || !/^[a-zA-Z0-9_-]+$/.test(id)) refuse(`${at}: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  else if (id.length > 64) refuse(`${at}: String should have at most 64 characters (stand-in)`);
}

function checkCalls(messages: readonly Message[]): void {
  const everUsed = new Set<string>();
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "user") {
      const answered = new Set<string>();
      let otherSeen = false;
      for (const { block, at } of message.blocks) {
        if (block["type"] !== "tool_result") {
          otherSeen = true;
          continue;
        }
        const id = String(block["tool_use_id"]);
        if (answered.has(id))
          refuse(`${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`);
        if (!open.includes(id)) {
          refuse(
            `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
          );
        }
        if (otherSeen) missing(messages[index - 1] ?? message, [id]);
        answered.add(id);
      }
      const left = open.filter((id) => !answered.has(id));
      if (left.length > 0) missing(messages[index - 1] ?? message, left);
      open = [];
      continue;
    }
    for (const { block, at } of message.blocks) {
      if (block["type"] !== "tool_use") continue;
      const id = String(block["id"]);
      if (open.includes(id)) refuse(`${at}: \`tool_use\` ids must be unique`);
      if (everUsed.has(id)) refuse(`${at}: \`tool_use\` ids must be unique (stand-in: also across turns)`);
      everUsed.add(id);
      open.push(id);
    }
  }
  const last = messages.at(-1);
  if (last !== undefined && open.length > 0) missing(last, open);
}

function missing(message: Message, ids: readonly string[]): never {
  return refuse(
    `${message.at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

function checkLast(messages: readonly Message[], model: string): void {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return;
  if (!oldModels.test(model)) {
    refuse("This model does not support assistant message prefill. The conversation must end with a user message.");
  }
  const text = last.blocks.at(-1)?.block["text"];
  if (typeof text === "string" && /\s$/.test(text)) refuse("messages: final assistant content cannot end with trailing whitespace");
}

function checkCache(block: Loose, at: string): void {
  const mark = block["cache_control"];
  if (mark === undefined || mark === null) return;
  if (!isObject(mark) || mark["type"] !== "ephemeral") refuse(`${at}.cache_control.type: Input should be 'ephemeral'`);
}

function countMarks(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, inner) => sum + countMarks(inner), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce(
    // Content from a model or the user is data, whatever its keys are.
    (sum, [key, inner]) =>
      key === "input" || key === "input_schema" ? sum : key === "cache_control" && inner ? sum + 1 : sum + countMarks(inner),
    0,
  );
}

function only(block: Loose, fields: readonly string[], at: string): Loose {
  for (const field of Object.keys(block)) if (!fields.includes(field)) refuse(`${at}.${field}: Extra inputs are not permitted`);
  return block;
}

function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === "string") return /\p{Surrogate}/u.test(value);
  if (Array.isArray(value)) return value.some(hasLoneSurrogate);
  return isObject(value) && Object.entries(value).some(([key, inner]) => hasLoneSurrogate(key) || hasLoneSurrogate(inner));
}

function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
