import type { CallView, MessageView, WaitingFor } from "../../protocol/index.ts";

/** What a dialog waits for that waits: the calls that it asks leave for, and its last message. As the list of dialogs says it. */
export function waitsFor(asked: readonly CallView[], last: MessageView | undefined): WaitingFor {
  if (asked.length > 0) return "leave";
  const why = last?.stop ?? null;
  if (why === "interrupted") return "interrupted";
  if (why === "aborted") return "stopped";
  if (why !== null) return why.startsWith("error ") ? "failed" : "word";
  return isQuestion(last) ? "question" : "word";
}

/** The tool that it asks leave for, when it is one and no other. */
export function wantsOf(asked: readonly CallView[]): string | null {
  const tools = new Set(asked.map(({ tool }) => tool));
  return tools.size === 1 ? (asked[0]?.tool ?? null) : null;
}

/** It ended with a question of the agent's own. */
const isQuestion = (message: MessageView | undefined): boolean =>
  message?.role === "assistant" && message.parts.some((part) => part.kind === "meta" && part.lines.some(({ key }) => key === "Waiting"));
