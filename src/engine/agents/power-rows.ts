import type { DialogAgent } from "../../dialog/agent.ts";
import { docAuthorized } from "../../dialog/authority.ts";
import { toolsOf } from "../../dialog/pattern.ts";
import type { PowerRow } from "../../protocol/index.ts";
import { readToolNames } from "../turn/tools/vfs.ts";
import { allTools } from "./powers.ts";

/** What an agent may do in a dialog that the user starts with it now, each tool with what says so. `main`: the text of doc-main.md; null: there is none. */
export function powerRows(agent: Pick<DialogAgent, "tools" | "asks">, main: string | null): PowerRow[] {
  const text = main ?? "";
  const granted = docAuthorized(text);
  return allTools.map((tool): PowerRow => {
    if (!agent.tools.includes(tool)) return { tool, may: "no", because: "file", lines: [] };
    if (agent.asks.includes(tool)) return { tool, may: "ask", because: "file", lines: [] };
    if (readToolNames.has(tool)) return { tool, may: "run", because: "file", lines: [] };
    const values = [...granted].filter((value) => toolsOf(value).includes(tool));
    if (values.length === 0) return { tool, may: "ask", because: "usual", lines: [] };
    const lines = values.map((value) => ({ line: lineOf(text, value), value }));
    return { tool, may: granted.has(tool) ? "run" : "run-some", because: "main", lines };
  });
}

/** The number of the line that grants it; the first is 1. */
const lineOf = (text: string, value: string): number => text.split("\n").lastIndexOf(`> Authorized: ${value}`) + 1;
