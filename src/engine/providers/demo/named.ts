import { agentOf } from "../../../dialog/agent.ts";
import { agentName } from "../../../dialog/mentions/agent-name.ts";
import type { Dialog } from "../../../dialog/model.ts";
import { repliesTo } from "../../../dialog/replies.ts";
import type { Step } from "./script.ts";

/** The most UTF-16 units of the user's text that are repeated. */
const longest = 200;

/** The answer of an agent that a file defines and the story doesn't know. Null: the dialog has no such agent. */
export function namedStep(dialog: Dialog): Step | null {
  const agent = agentOf(dialog);
  if (agent === null) return null;
  const texts = dialog.sections.flatMap(({ role, parts }) =>
    role === "user" ? [parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n")] : [],
  );
  const isReply = repliesTo(dialog.head) !== null;
  // The first text tells a mentioned agent about the other dialog.
  const said = (isReply ? texts.at(1) : texts.at(-1)) ?? "";
  if (isReply && said === "Resolve this fork.") return { text: summary, calls: [] };
  const [line = ""] = said.trim().split("\n");
  const words = line.length > longest ? `${line.slice(0, longest)}…` : line;
  const inTurns = isReply && /^You answer in turns with /m.test(texts[0] ?? "");
  return {
    text: [
      `I'm ${agentName(agent.slug)}, the agent that your file describes, and this is the scripted demo: no model reads what you wrote.`,
      ...(words === "" ? [] : [`You asked: “${words}”`]),
      "With an API key, a model answers here, with the prompt and the tools of the file.",
      ...(inTurns ? ["DONE"] : []),
    ].join("\n\n"),
    calls: [],
  };
}

const summary = `CONCLUSION: This is the scripted demo, so no model has read the discussion.

KEY POINTS:
- With an API key, Vibe sums up what was said here.

ACTION ITEMS:
- Add an API key in Settings.`;
