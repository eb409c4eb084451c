import type { Files } from "../../fs/files.ts";
import type { Agents } from "../agents.ts";
import type { DialogStore } from "../dialogs/store.ts";
import type { EventBus } from "../events.ts";
import type { HistoryDoor } from "../project/history/door.ts";
import type { NewProject } from "../project/zip/new-project.ts";
import type { ProjectShelf } from "../project/zip/shelf.ts";
import type { ProviderDesk } from "../providers/desk.ts";
import type { VaultDoor } from "../vault/door.ts";

/** What the routes work with. */
export interface RouteContext {
  readonly files: Files;
  readonly store: DialogStore;
  /** The half of the engine that knows dialogs, once it is loaded. */
  readonly agents: () => Promise<Agents>;
  readonly providers: ProviderDesk;
  readonly vault: Pick<VaultDoor, "open">;
  readonly bus: EventBus;
  readonly history: Pick<HistoryDoor, "fetch" | "opened">;
  /** Makes another project of that name; null: there is no place for one. */
  readonly newProject: ((name: string) => Promise<NewProject>) | null;
  /** The projects beside the first one. */
  readonly projects: ProjectShelf;
  /** The docs of the demo. */
  readonly demoDocs: () => Promise<readonly { readonly name: string; readonly content: string }[]>;
}
