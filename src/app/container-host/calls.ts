import type { NodeEngine, NodeEngineBody, SandboxAnswer, SandboxBody, SandboxName } from "../../protocol/index.ts";
import { body, json } from "../model/api/calls.ts";

export const chooseNodeEngine = (node: NodeEngine) => json<SandboxAnswer>("sandbox/node", body("PUT", { node } satisfies NodeEngineBody));
export const chooseSandbox = (sandbox: SandboxName) => json<SandboxAnswer>("sandbox", body("PUT", { sandbox } satisfies SandboxBody));
export const startWebContainer = () => json<SandboxAnswer>("sandbox/start", { method: "POST" });
/** `dialogId`: the owner of a server in the built-in shell. 409: the server's command isn't known, or it can't be stopped alone. */
export const stopServer = (port: number, dialogId: string | null) =>
  json<SandboxAnswer>(`sandbox/servers/${port}/stop${dialogId === null ? "" : `?dialog=${encodeURIComponent(dialogId)}`}`, {
    method: "POST",
  });
