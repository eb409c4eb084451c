import type { CallView, MessageView, WaitingFor } from "../../protocol/index.ts";

/** What a waiting dialog waits for, from its calls that need approval and its last message. The same words as in the list of dialogs. */
export function waitsFor(asked: readonly CallView[], last: MessageView | undefined): WaitingFor {
  if (asked.length > 0) return "leave";
  const why = last?.stop ?? null;
  if (why === "interrupted") return "interrupted";
  if (why === "aborted") return "stopped";
  if (why !== null) return why.startsWith("error ") ? "failed" : "word";
  return isQuestion(last) ? "question" : "word";
}

/** The tool that it asks to use, if it asks for only one. */
export function wantsOf(asked: readonly CallView[]): string | null {
  const tools = new Set(asked.map(({ tool }) => tool));
  return tools.size === 1 ? (asked[0]?.tool ?? null) : null;
}

/** Whether the message ended with a question by the agent. */
const isQuestion = (message: MessageView | undefined): boolean =>
  message?.role === "assistant" && message.parts.some((part) => part.kind === "meta" && part.lines.some(({ key }) => key === "Waiting"));
