import type { Files } from "../../fs/files.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import type { DialogStore } from "../dialogs/store.ts";
import type { EventBus } from "../events.ts";
import type { ProviderDesk } from "../providers/desk.ts";

/** What the routes work with. */
export interface RouteContext {
  readonly files: Files;
  readonly store: DialogStore;
  readonly dialogs: Dialogs;
  readonly providers: ProviderDesk;
  readonly bus: EventBus;
}
