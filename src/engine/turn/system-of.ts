import type { DialogAgent } from "../../dialog/agent.ts";
import type { Files } from "../../fs/files.ts";
import { agentFacts } from "../agents/agent-facts.ts";
import { otherDocs, readMain } from "../dialogs/docs.ts";
import { systemPrompt } from "../prompt/system.ts";
import { memoryOf } from "./tools/memory.ts";

export interface SystemDeps {
  readonly files: Pick<Files, "list" | "read">;
  /** What the model is told about the sandbox. */
  readonly sandboxAbout: () => Promise<string>;
}

/** The system prompt of a dialog with this agent, for the current project. Without an agent, it is Vibey's usual prompt. */
export async function systemOf(agent: DialogAgent | null, { files, sandboxAbout }: SystemDeps): Promise<string> {
  return systemPrompt({
    agent: agent && agentFacts(agent),
    memory: agent && (await memoryOf(agent, files)),
    main: await readMain(files),
    docs: await otherDocs(files),
    sandbox: await sandboxAbout(),
  });
}
