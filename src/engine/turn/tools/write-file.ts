import type { Path } from "../../../fs/path.ts";
import type { JsonObject } from "../../../dialog/model.ts";
import { decodeText } from "../../text.ts";
import { shownChanges } from "./changes.ts";
import { checkTexts, textFields, textOf } from "./inputs.ts";
import { openTarget, planWrite } from "./target.ts";
import { type ChangedByOthers, type Plan, type PlannedTool, refuse } from "./tool.ts";

export const writeFile: PlannedTool = {
  definition: {
    name: "write_file",
    description:
      "Create or overwrite a file with exactly this content. Missing folders are created. To change a part of a file, use edit_file.",
    inputSchema: textFields({
      path: "The file, relative to the project's folder.",
      content: "The full content of the file.",
    }),
  },
  check: (input: JsonObject) => checkTexts(input, ["path", "content"]),
  async plan(input, { files, memory, changedByOthers }) {
    const opened = await openTarget(textOf(input, "path"), { files, memory });
    if (!opened.ok) return refuse(opened.error);
    const { target } = opened;
    const { path, current } = target;
    const content = textOf(input, "content");
    const others = await changedByOthers(path);
    if (current === null) {
      const gone = others ? `; it had been removed by ${others.who} since you last saw it` : "";
      return planWrite(target, content, { message: `File written: ${path}${gone}` });
    }
    const now = decodeText(current.bytes);
    if (others && now !== content) return unseen(path, current.version, others, now);
    return planWrite(target, content, { message: `File written: ${path} (replaced ${current.bytes.length} bytes)` });
  },
};

/** Makes sure that no change by others is overwritten unread: the agent is told about the change, and its next attempt may replace it. */
function unseen(path: Path, version: number, { who, before }: ChangedByOthers, now: string | null): Plan {
  const changes = shownChanges(path, before, now);
  const advice = changes === null ? "Read the file" : "Take over what is to stay";
  return {
    changes: [],
    expect: [{ path, version }],
    shows: { path, version },
    result: {
      success: false,
      error: `${path} was changed by ${who} since you last saw it; nothing was written. ${advice}, then write it again, or use edit_file.`,
      ...(changes === null ? {} : { changes }),
    },
  };
}
