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

/** What touches the world, injected. */
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
  /** Why the provider can't be asked: its key is not there, or locked; a sentence. null: it can, or there is no such provider. */
  readonly lacksKey: (name: string) => string | null;
  /** What responses cost, and whether one more may be asked for. */
  readonly costs: Costs;
  /** The model that is meant when a provider is chosen and none is named. */
  readonly defaultModel: (provider: string) => string;
  readonly sandbox: Sandbox;
  /** The agents that a message can mention. */
  readonly agents: Pick<AgentLookup, "mentioned" | "resolver" | "find" | "names">;
  /** What the user is called; "": nothing. */
  readonly userName: () => Promise<string>;
  /** What agents outside Vibey wait for. */
  readonly asks: PendingApprovals;
  /** The way of commands out of the sandbox; null: there is none. */
  readonly outside: Pick<NetworkDeps, "send" | "follow" | "reserved"> | null;
  /** What the model is told about the sandbox. */
  readonly sandboxAbout: () => Promise<string>;
  /** The tools that only change files, by name. */
  readonly fileTools: readonly PlannedTool[];
  /** The text of the file that a `write_file` call would replace; null when there is none, or it is no text. */
  readonly readForDiff: (path: unknown) => Promise<string | null>;
  /** Where a mistake of ours is told; the dialog in which it happened says so too. */
  readonly report: (error: unknown) => void;
}
