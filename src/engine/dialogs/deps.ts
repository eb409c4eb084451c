import type { AgentLookup } from "../agents/agent-lookup.ts";
import type { Files } from "../../fs/files.ts";
import type { Costs } from "../cost/gate.ts";
import type { EventBus } from "../events.ts";
import type { NetworkDeps } from "../network/network.ts";
import type { PendingApprovals } from "../outside/pending-approvals.ts";
import type { FileChanges } from "../projections/file-changes.ts";
import type { Provider } from "../providers/provider.ts";
import type { Sandbox } from "../../shell/sandbox.ts";
import type { PlannedTool } from "../turn/tools/tool.ts";
import type { Revisions } from "./live.ts";
import type { DialogStore } from "./store.ts";

/** The injected dependencies on the outside world. */
export interface DialogsDeps {
  readonly files: Files;
  readonly store: DialogStore;
  readonly bus: EventBus;
  readonly revisions: Revisions;
  readonly now: () => Date;
  /** Calls `then` once after `ms`. */
  readonly later: (then: () => void, ms: number) => void;
  /** What happened to the files. */
  readonly fileChanges: FileChanges;
  readonly provider: (name: string) => Provider | null;
  /** Why the provider can't be asked, as a sentence: its key is missing or locked. Null if it can be asked, or if there is no such provider. */
  readonly lacksKey: (name: string) => string | null;
  /** The cost of responses, and whether the spending limit allows another request. */
  readonly costs: Costs;
  /** The model to use if a provider is chosen without a model. */
  readonly defaultModel: (provider: string) => string;
  readonly sandbox: Sandbox;
  /** The agents that a message can mention. */
  readonly agents: Pick<AgentLookup, "mentioned" | "resolver" | "find" | "names">;
  /** The user's name. Empty if none is set. */
  readonly userName: () => Promise<string>;
  /** The requests of agents outside Vibey that wait for approval. */
  readonly asks: PendingApprovals;
  /** The network access of commands. Null if there is none. */
  readonly outside: Pick<NetworkDeps, "send" | "follow" | "reserved"> | null;
  /** What the model is told about the sandbox. */
  readonly sandboxAbout: () => Promise<string>;
  /** The tools that only change files. */
  readonly fileTools: readonly PlannedTool[];
  /** The text of the file that a `write_file` call would replace. Null if there is no file, or if it is not text. */
  readonly readForDiff: (path: unknown) => Promise<string | null>;
  /** Reports internal errors. The dialog that is affected shows them too. */
  readonly report: (error: unknown) => void;
}
