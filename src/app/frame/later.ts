import type { EngineEvents } from "../model/api/events.ts";
import type { DialogList } from "../dialogs/list.ts";
import { loadStart } from "../dialogs/start.ts";
import { heedReload } from "../container-host/reload-tabs.ts";
import { type ServerParts, startServers } from "../container-host/start-servers.ts";
import { keepGlances } from "../docs/keep-glances.ts";
import { startNotify } from "../notify/start-notify.ts";
import { engineState } from "../engine-client/index.ts";
import { shownFile } from "../docs/glance.ts";
import { openOnce, type OpenOnceParts } from "../preview/open-once.ts";
import { tellOtherProjects } from "../project/start.ts";
import { handOver, notKept, startShare } from "../share/start-share.ts";
import { heedRemoval } from "../storage/heed-removal.ts";
import { removalWanted } from "../storage/removal.ts";
import { startCare } from "../storage/start-care.ts";
import type { Command } from "../ui/commands.ts";
import { currentProject } from "../model/current-project.ts";
import type { Drops } from "./drops.ts";
import type { Notices } from "../ui/notices.ts";
import type { ProjectTask } from "../model/project.ts";
import * as t from "../texts/share-waiting.ts";

export interface LaterParts extends ServerParts {
  readonly preview: Omit<OpenOnceParts, "project">;
  readonly drops: Drops;
  readonly events: EngineEvents;
  readonly notices: Notices;
  readonly list: DialogList;
  readonly begin: (task: ProjectTask) => void;
  readonly openDialog: (dialogId: string) => void;
  /** The project's name if there are others, else null; and the commands that lead to the others. */
  readonly tellProjects: (name: string | null, others: Command[]) => void;
  /** Shows what was shared. `full`: there was no room for the last item. */
  readonly showHanded: (full: boolean) => void;
}

/** Starts what the first page does not need, a moment after it has loaded. Returns a function that stops it. */
export function startLater({
  preview,
  drops,
  events,
  notices,
  list,
  begin,
  openDialog,
  tellProjects,
  showHanded,
  ...servers
}: LaterParts): () => void {
  const given = { show: showHanded, zip: (file: File) => begin({ kind: "import", file }) };
  const stops = [
    startCare(events, notices, () => begin({ kind: "export", scope: "all" })),
    startNotify(list, openDialog),
    keepGlances({
      store: localStorage,
      project: currentProject(),
      events,
      file: shownFile,
      allowed: () => engineState().kind === "ready" && !removalWanted(),
    }),
    heedRemoval(notices),
    heedReload(),
    openOnce({ ...preview, project: currentProject() }),
    startServers(events, notices, servers),
  ];
  drops.takeBy((files) => void handOver(files, given).catch(notKept(given)));
  void tellOtherProjects(tellProjects);
  // Load the code for the first clicks before they happen.
  Promise.all([loadStart(), import("../dialogs/StartDialog.tsx"), import("../ui/NameFields.tsx")]).catch((error: unknown) =>
    console.info("What a first click needs could not be fetched early.", error),
  );
  const remind = () =>
    notices.add({
      message: t.waits,
      action: { label: t.look, run: () => showHanded(false) },
    });
  startShare({ ...given, remind }).catch((error: unknown) =>
    notices.add({ message: t.notShown(error instanceof Error ? error.message : String(error)) }),
  );
  return () => {
    for (const stop of stops) stop();
  };
}
