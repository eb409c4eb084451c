import type { JsonObject } from "../format/model.ts";
import { checkTexts, textFields, textOf } from "./inputs.ts";
import type { PlannedTool } from "./tool.ts";
import { refuse } from "./tool.ts";
import { openTarget, planWrite } from "./target.ts";

export const writeFile: PlannedTool = {
  definition: {
    name: "write_file",
    description: "Create or overwrite a file with exactly this content. Folders are made as needed. To change a part of a file, use edit_file.",
    inputSchema: textFields({
      path: "The file, relative to the project's folder.",
      content: "The whole content of the file.",
    }),
  },
  check: (input: JsonObject) => checkTexts(input, ["path", "content"]),
  async plan(input, { files }) {
    const target = await openTarget(textOf(input, "path"), files);
    if (!target.ok) return refuse(target.error);
    return planWrite(target, textOf(input, "content"), `File written: ${target.path}`);
  },
};
