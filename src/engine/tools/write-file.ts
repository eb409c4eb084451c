import type { JsonObject } from "../format/model.ts";
import { checkTexts, textFields, textOf } from "./inputs.ts";
import { openTarget, planWrite } from "./target.ts";
import { type PlannedTool, refuse } from "./tool.ts";

export const writeFile: PlannedTool = {
  definition: {
    name: "write_file",
    description:
      "Create or overwrite a file with exactly this content. Folders are made as needed. To change a part of a file, use edit_file.",
    inputSchema: textFields({
      path: "The file, relative to the project's folder.",
      content: "The whole content of the file.",
    }),
  },
  check: (input: JsonObject) => checkTexts(input, ["path", "content"]),
  async plan(input, { files }) {
    const opened = await openTarget(textOf(input, "path"), files);
    if (!opened.ok) return refuse(opened.error);
    return planWrite(opened.target, textOf(input, "content"), `File written: ${opened.target.path}`);
  },
};
