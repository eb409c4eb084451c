import type { DialogAgent } from "../../dialog/agent.ts";
import { docAuthorized, docRevoked } from "../../dialog/authority.ts";
import { toolsOf } from "../../dialog/pattern.ts";
import type { ToolPermissionRow } from "../../protocol/index.ts";
import { readToolNames, vfsRead } from "../turn/tools/vfs.ts";
import { allTools } from "./tool-permissions.ts";

const fileTools = new Set(["write_file", "edit_file"]);

/**
 * What an agent may do in a dialog that the user starts with it now, with the source of each permission. `main` is the text of doc-main.md. Null
 * if there is none.
 */
export function toolPermissionRows(
  agent: Pick<DialogAgent, "tools" | "asks" | "escalates" | "reads" | "writes">,
  main: string | null,
): ToolPermissionRow[] {
  const text = main ?? "";
  const granted = docAuthorized(text);
  const revoked = docRevoked(text);
  return allTools.map((tool): ToolPermissionRow => {
    const within = tool === vfsRead.definition.name ? agent.reads : fileTools.has(tool) ? agent.writes : null;
    if (!agent.tools.includes(tool)) return { tool, may: "no", because: "file", within: null, lines: [] };
    if (agent.escalates.includes(tool)) return { tool, may: "ask-always", because: "file", within, lines: [] };
    if (agent.asks.includes(tool)) return { tool, may: "ask", because: "file", within, lines: [] };
    if (readToolNames.has(tool)) {
      const line = revoked.get(tool);
      if (line === undefined) return { tool, may: "run", because: "file", within, lines: [] };
      return { tool, may: "ask", because: "main", within, lines: [{ line, value: tool }] };
    }
    const values = [...granted].filter((value) => toolsOf(value).includes(tool));
    if (values.length === 0) return { tool, may: "ask", because: "usual", within, lines: [] };
    const lines = values.map((value) => ({ line: lineOf(text, value), value }));
    return { tool, may: granted.has(tool) ? "run" : "run-some", because: "main", within, lines };
  });
}

/** The number of the line that grants it, from 1. */
const lineOf = (text: string, value: string): number => text.split("\n").lastIndexOf(`> Authorized: ${value}`) + 1;
