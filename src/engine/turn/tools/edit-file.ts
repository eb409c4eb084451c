import type { Json, JsonObject } from "../../../dialog/model.ts";
import { decodeText } from "../../text.ts";
import { shownChanges } from "./changes.ts";
import { checkTexts, textFields, textOf } from "./inputs.ts";
import { nearestLines } from "./nearest-lines.ts";
import { lineNumbers, occurrences } from "./occurrences.ts";
import { openTarget, planWrite, type Target } from "./target.ts";
import { type ChangedByOthers, type Plan, type PlannedTool, refuse } from "./tool.ts";

export const editFile: PlannedTool = {
  definition: {
    name: "edit_file",
    description:
      "Replace one passage of a text file. old_string must occur exactly once in the file, character by character, line ends and " +
      "indentation included; no character has a special meaning. Read the file first (cat with run_command).",
    inputSchema: textFields({
      path: "The file, relative to the project's folder.",
      old_string: "The passage to replace, with enough context to be unique.",
      new_string: "The new text. Empty deletes the passage.",
    }),
  },
  check: (input: JsonObject) => checkTexts(input, ["path", "old_string", "new_string"]),
  async plan(input, { files, memory, changedByOthers }) {
    const oldText = textOf(input, "old_string");
    const newText = textOf(input, "new_string");
    if (oldText === "") return refuse("old_string is empty: give the text to replace, or use write_file to create a file");
    if (oldText === newText) return refuse("old_string and new_string are the same: nothing to change");
    const opened = await openTarget(textOf(input, "path"), { files, memory });
    if (!opened.ok) return refuse(opened.error);
    return edit(opened.target, oldText, newText, await changedByOthers(opened.target.path));
  },
};

function edit(target: Target, oldText: string, newText: string, others: ChangedByOthers | null): Plan {
  const { path, current } = target;
  if (current === null) return refuse(`path: there is no file ${path}${others ? `: ${others.who} removed it since you last saw it` : ""}`);
  const text = decodeText(current.bytes);
  if (text === null) return refuse(`path: ${path} is a binary file (not UTF-8 text), which edit_file can't change`);
  const starts = occurrences(text, oldText);
  const [start] = starts;
  if (start === undefined) {
    if (!others) return fault(notFound(text, oldText));
    const changes = shownChanges(path, others.before, text);
    const error = `old_string not found in file: ${others.who} changed ${path} since you last saw it`;
    return {
      ...fault({ ...notFound(text, oldText), error, ...(changes === null ? {} : { changes }) }),
      expect: [{ path, version: current.version }],
      shows: { path, version: current.version },
    };
  }
  if (starts.length > 1) {
    const lines = [...new Set(lineNumbers(text, starts))].slice(0, 20);
    return fault({ error: `old_string found ${starts.length} times — must be unique. Add more surrounding context.`, lines });
  }
  const edited = text.slice(0, start) + newText + text.slice(start + oldText.length);
  const diff = others && (shownChanges(path, others.before, text) ?? "not shown here: read the file");
  // If others changed the file, the result says which changes the edit was applied to.
  return planWrite(target, edited, {
    message: `Edit applied to ${path}`,
    line: lineNumbers(text, [start])[0] ?? 1,
    ...(others ? { changedMeanwhile: { by: others.who, diff } } : {}),
  });
}

/** A failure with more details than one line. */
function fault(result: JsonObject): Plan {
  return { changes: [], expect: [], result: { success: false, ...result } };
}

function notFound(text: string, oldText: string): JsonObject {
  const hint = lineEndHint(text, oldText);
  const nearest: Json = nearestLines(text, oldText).map(({ line, text: found }) => ({ line, text: found }));
  return { error: "old_string not found in file", ...(hint === null ? {} : { hint }), ...(nearest.length === 0 ? {} : { nearest }) };
}

function lineEndHint(text: string, oldText: string): string | null {
  const lf = oldText.replaceAll("\r\n", "\n");
  if (!lf.includes("\n")) return null;
  if (oldText === lf && text.includes(lf.replaceAll("\n", "\r\n"))) {
    return "Only the line ends differ: this file's lines end in \\r\\n. Write \\r\\n in old_string and new_string.";
  }
  if (oldText !== lf && text.includes(lf)) return "Only the line ends differ: this file's lines end in \\n, not in \\r\\n.";
  return null;
}
