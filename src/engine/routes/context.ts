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

/** The half of the engine in which agents work. It is loaded after the page can be read and written in. */
export interface Agents {
  readonly dialogs: Dialogs;
  readonly asks: PendingApprovals;
  /** Why the limit of what the project may cost lets the provider not be asked now, for what belongs to no dialog; null: it does. */
  readonly heldBack: (provider: string, model: string) => Promise<string | null>;
  /** What these tokens cost now; null: no one knows. */
  readonly costOf: Costs["of"];
  /** Answers the calls that are about dialogs. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** What the routes work with. */
export interface RouteContext {
  readonly files: Files;
  readonly store: DialogStore;
  /** The half of the engine that knows dialogs, once it is loaded. */
  readonly agents: () => Promise<Agents>;
  readonly providers: ProviderRegistry;
  readonly vault: Pick<LazyVault, "open">;
  readonly bus: EventBus;
  readonly log: Pick<Log, "open">;
  readonly history: Pick<HistoryFacade, "fetch" | "opened" | "commits">;
  /** How programs outside reach the engine. */
  readonly gateway: () => Promise<Gateway>;
  readonly now: () => Date;
  readonly later: (then: () => void, ms: number) => void;
  /** Makes another project of that name; null: there is no place for one. */
  readonly newProject: ((name: string) => Promise<NewProject>) | null;
  /** The projects beside the first one. */
  readonly projects: ProjectShelf;
  /** Where the keys of agents outside Vibey are kept. */
  readonly agentKeys: AgentKeyStore;
  /** The docs of the demo. */
  readonly demoDocs: () => Promise<readonly { readonly name: string; readonly content: string }[]>;
}
