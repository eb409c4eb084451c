import type { Files } from "../../fs/files.ts";
import type { Costs } from "../cost/gate.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import type { DialogStore } from "../dialogs/store.ts";
import type { EventBus } from "../events.ts";
import type { Gateway } from "../gateways/gateway.ts";
import type { Log } from "../log/log.ts";
import type { HistoryFacade } from "../project/history/history-facade.ts";
import type { AgentKeyStore } from "../outside/key-store.ts";
import type { PendingApprovals } from "../outside/pending-approvals.ts";
import type { NewProject } from "../project/zip/new-project.ts";
import type { ProjectShelf } from "../project/zip/shelf.ts";
import type { ProviderRegistry } from "../providers/provider-registry.ts";
import type { LazyVault } from "../vault/lazy-vault.ts";

/** The half of the engine that runs agents. It loads after the project can be read and written. */
export interface Agents {
  readonly dialogs: Dialogs;
  readonly asks: PendingApprovals;
  /** Why the spending limit prevents a request that belongs to no dialog. Null if it is allowed. */
  readonly heldBack: (provider: string, model: string) => Promise<string | null>;
  /** The current cost of these tokens. Null if it is unknown. */
  readonly costOf: Costs["of"];
  /** Answers requests about dialogs. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** What the routes use. */
export interface RouteContext {
  readonly files: Files;
  readonly store: DialogStore;
  /** Loads the half of the engine that runs agents. */
  readonly agents: () => Promise<Agents>;
  readonly providers: ProviderRegistry;
  readonly vault: Pick<LazyVault, "open">;
  readonly bus: EventBus;
  readonly log: Pick<Log, "open">;
  readonly history: Pick<HistoryFacade, "fetch" | "opened" | "commits">;
  /** Lets programs outside reach the engine. */
  readonly gateway: () => Promise<Gateway>;
  readonly now: () => Date;
  readonly later: (then: () => void, ms: number) => void;
  /** Creates another project with this name. Null if no other project can be created. */
  readonly newProject: ((name: string) => Promise<NewProject>) | null;
  /** The projects besides the first one. */
  readonly projects: ProjectShelf;
  /** Stores the keys of agents outside Vibey. */
  readonly agentKeys: AgentKeyStore;
  /** The docs of the demo. */
  readonly demoDocs: () => Promise<readonly { readonly name: string; readonly content: string }[]>;
}
