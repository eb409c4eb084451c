import { clean } from "../../../dialog/clean.ts";
import type { JsonObject } from "../../../dialog/model.ts";
import { isModelName } from "../../names.ts";
import type { ToolDefinition } from "../../providers/provider.ts";

export const launchAgent: ToolDefinition = {
  name: "launch_agent",
  description:
    "Start another agent with its own top-level dialog. It gets doc-main.md, your prompt as its first message, and the same tools as you or those of the agent that you name. Returns immediately with the new dialog's id. The other agent works on its own. Use the provider and model that you run on unless the docs say otherwise.",
  inputSchema: {
    type: "object",
    properties: {
      provider: { type: "string", description: "The provider to run on, such as claude." },
      model: { type: "string", description: "The model ID." },
      prompt: { type: "string", description: "The whole task: the new agent can't see this dialog." },
      agent: {
        type: "string",
        description:
          "The agent to start, if it is one that a file `vibey/agent-<name>.md` defines: the name. It has the prompt, the tools and the model of that file.",
      },
      slug: { type: "string", description: "A short name for the dialog, such as style-the-page." },
    },
    required: ["provider", "model", "prompt"],
  },
};

export interface LaunchInput {
  readonly provider: string;
  readonly model: string;
  readonly prompt: string;
  readonly slug: string;
  /** The name of an agent that a file defines. Null if none was named. */
  readonly agent: string | null;
}

/** Null if the input is valid. Otherwise the reason why it isn't. */
export function checkLaunch(input: JsonObject, providers: readonly string[]): string | null {
  const { provider, model, prompt, slug, agent } = input;
  if (agent !== undefined && typeof agent !== "string") return "agent: expected the name of an agent";
  if (typeof provider !== "string" || !providers.includes(provider)) return `provider: expected one of ${providers.join(", ")}`;
  if (typeof model !== "string" || !isModelName(model)) return "model: expected a model ID, 1 to 100 characters of A-Z a-z 0-9 . _ : / -";
  if (typeof prompt !== "string" || clean(prompt) === "") return "prompt: expected text";
  if (slug !== undefined && typeof slug !== "string") return "slug: expected text";
  return null;
}

export function launchInput(input: JsonObject): LaunchInput {
  const { provider, model, prompt, slug, agent } = input;
  if (typeof provider !== "string" || typeof model !== "string" || typeof prompt !== "string") {
    throw new TypeError("launch_agent was started without its input having been checked");
  }
  return {
    provider,
    model,
    prompt,
    slug: typeof slug === "string" ? slug : "",
    agent: typeof agent === "string" && agent !== "" ? agent.toLowerCase() : null,
  };
}
