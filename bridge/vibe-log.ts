/* Converts Mistral Vibe's session files to events that Vibey accepts. `meta.json` has the session's id, `messages.jsonl` one message per line. */

/** The most UTF-16 units of one text that are passed on. */
const longest = 200_000;

export interface VibeSession {
  readonly id: string;
  readonly cwd: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value.slice(0, longest) : undefined);

/** `folder`: the folder's name, which is used if the session has no id. */
export function readSession(meta: string, folder: string): VibeSession {
  const value = parse(meta);
  const id = isFields(value) ? textOf(value["session_id"]) : undefined;
  const environment = isFields(value) && isFields(value["environment"]) ? value["environment"] : {};
  return { id: id === undefined || id.length > 200 ? folder : id, cwd: textOf(environment["working_directory"]) };
}

/** The events of line `nth` (the first is 0). Their ids come from their position, so that a line that is read twice is reported once. */
export function eventsOfLine(line: string, nth: number, { id: session_id, cwd }: VibeSession, timestamp: number): object[] {
  const message = parse(line);
  if (!isFields(message)) return [];
  const base = (part: number) => ({ id: `vibe-${nth}-${part}`, timestamp, session_id, ...(cwd === undefined ? {} : { cwd }) });
  const content = textOf(message["content"]);
  switch (message["role"]) {
    case "user":
      return content === undefined || message["injected"] === true ? [] : [{ ...base(0), type: "user_message", content }];
    case "tool": {
      const failed = content !== undefined && /^<\w*error>/.test(content);
      const names = { tool_call_id: textOf(message["tool_call_id"]), tool_name: textOf(message["name"]) ?? "tool" };
      return [{ ...base(0), type: "tool_result", ...names, ...(failed ? { error: content } : { result: content ?? "" }) }];
    }
    case "assistant": {
      const calls = Array.isArray(message["tool_calls"]) ? message["tool_calls"].filter(isFields) : [];
      const said = content === undefined ? [] : [{ ...base(0), type: "assistant", content, continues: calls.length > 0 }];
      return [...said, ...calls.map((call, at) => ({ ...base(at + 1), type: "tool_call", ...callOf(call) }))];
    }
    default:
      return [];
  }
}

function callOf(call: Fields): object {
  const { name, arguments: given } = isFields(call["function"]) ? call["function"] : {};
  const args = typeof given === "string" ? parse(given) : null;
  return { tool_call_id: textOf(call["id"]), tool_name: textOf(name) ?? "tool", args: isFields(args) ? args : {} };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
