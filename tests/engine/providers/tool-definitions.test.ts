// Tools are defined once; each API gets the same definitions in its own form.
import { expect, test } from "vitest";
import { chatRequest } from "../../../src/engine/providers/openai/chat-request.ts";
import { responsesRequest } from "../../../src/engine/providers/openai/responses-request.ts";
import { claudeRequest } from "../../../src/engine/providers/claude/request.ts";
import { createToolbox } from "../../../src/engine/turn/toolbox.ts";
import { editFile } from "../../../src/engine/turn/tools/edit-file.ts";
import { writeFile } from "../../../src/engine/turn/tools/write-file.ts";
import { dialog, user } from "../prompt/notation.ts";
import { request } from "./claude/setup.ts";

test("each API gets the same tools: name, description, schema", () => {
  const asked = dialog(user("Go."));
  const tools = createToolbox([writeFile, editFile], ["claude"]).definitions(asked);
  expect(tools.map(({ name }) => name)).toEqual(["run_command", "write_file", "edit_file", "launch_agent"]);
  const whole = request({ dialog: asked, tools });
  const wanted = tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]);

  const claude = claudeRequest(whole, 64_000).tools ?? [];
  expect(claude.map((tool) => "input_schema" in tool && [tool.name, tool.description, tool.input_schema])).toEqual(wanted);
  const chat = chatRequest(whole, { tokensField: null, tokens: 1, role: "system" }).tools ?? [];
  expect(chat.map((tool) => tool.type === "function" && [tool.function.name, tool.function.description, tool.function.parameters])).toEqual(
    wanted,
  );
  const responses = responsesRequest(whole, 64_000, []).tools ?? [];
  expect(responses.map((tool) => tool.type === "function" && [tool.name, tool.description, tool.parameters])).toEqual(wanted);
});
