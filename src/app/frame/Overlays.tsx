import { type Accessor, type Setter, Show } from "solid-js";
import type { EngineEvents } from "../model/api/events.ts";
import type { DialogList } from "../dialogs/list.ts";
import type { Drafts } from "../docs/drafts.ts";
import type { FileLists } from "../docs/files.ts";
import type { ProviderName } from "../providers/names.ts";
import type { createUnlocker } from "../providers/unlock.ts";
import * as t from "../texts/frame.ts";
import type { Command } from "../ui/commands.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import type { Notices } from "../ui/notices.ts";
import type { ProjectTask } from "../model/project.ts";
import type { Router } from "../model/route.ts";
import { type ThemeChoice, themeCommands } from "../ui/theme.ts";

const SettingsDialog = lazyPart(() => import("../settings/SettingsDialog.tsx"));
const UnlockDialog = lazyPart(() => import("../settings/UnlockDialog.tsx"));
const ProjectDialog = lazyPart(() => import("../project/ProjectDialog.tsx"));
const CommandPalette = lazyPart(() => import("../palette/CommandPalette.tsx"));
const KeysDialog = lazyPart(() => import("../palette/KeysDialog.tsx"));
const ShareDialog = lazyPart(() => import("../share/ShareDialog.tsx"));

/** Which dialog boxes are open, and what each is about. */
export interface Open {
  /** The provider whose settings are open. */
  readonly settings: Accessor<ProviderName | null>;
  readonly setSettings: Setter<ProviderName | null>;
  readonly task: Accessor<ProjectTask | null>;
  readonly setTask: Setter<ProjectTask | null>;
  readonly finder: Accessor<"palette" | "keys" | null>;
  readonly setFinder: Setter<"palette" | "keys" | null>;
  /** What another app has shared. */
  readonly handed: Accessor<{ readonly full: boolean } | null>;
  readonly setHanded: Setter<{ readonly full: boolean } | null>;
  readonly unlocker: ReturnType<typeof createUnlocker>;
}

export interface OverlaysProps {
  readonly open: Open;
  readonly theme: ThemeChoice;
  readonly notices: Notices;
  readonly events: EngineEvents;
  readonly drafts: Drafts;
  readonly files: FileLists;
  readonly list: DialogList;
  readonly router: Router;
  /** Increases with each change of the settings. */
  readonly changes: number;
  readonly changed: () => void;
  readonly commands: readonly Command[];
  /** What the palette can find. */
  readonly found: readonly Command[];
  readonly tellProjects: (name: string | null, others: readonly Command[]) => void;
}

/** The dialog boxes over the screens. The box that starts a dialog is separate, because a newcomer opens it first. */
export default function Overlays(props: OverlaysProps) {
  const lists = () => ({ names: props.files.names(), deed: props.files.deed().map(({ path }) => path) });
  /** A box reports that it has closed a moment later. The other box may be open by then. */
  const closeFinder = (closed: "palette" | "keys") => props.open.setFinder((now) => (now === closed ? null : now));
  async function tellProjects() {
    const { tellNow } = await import("../project/start.ts");
    tellNow(props.tellProjects);
  }
  return (
    <>
      <Show when={props.open.settings()}>
        {(provider) => (
          <SettingsDialog
            theme={props.theme}
            provider={provider()}
            changes={props.changes}
            events={props.events}
            close={() => props.open.setSettings(null)}
            saved={() => {
              props.changed();
              props.notices.announce(t.settingsSaved);
            }}
          />
        )}
      </Show>
      <Show when={props.open.unlocker.asks()}>
        <UnlockDialog answer={props.open.unlocker.answer} />
      </Show>
      <Show when={props.open.task()} keyed>
        {(now) => (
          <ProjectDialog
            task={now}
            events={props.events}
            // A dialog reports a moment later that it has closed. The next one may be open by then.
            close={() => props.open.setTask((open) => (open === now ? null : open))}
            announce={(text) => props.notices.announce(text)}
            changed={() => void tellProjects()}
          />
        )}
      </Show>
      <Show when={props.open.handed()}>
        {(shared) => (
          <ShareDialog
            drafts={props.drafts}
            names={lists().names}
            deed={lists().deed}
            handed={shared()}
            go={(route) => props.router.go(route)}
            openZip={(given) => props.open.setTask({ kind: "import", file: given })}
            close={() => props.open.setHanded(null)}
          />
        )}
      </Show>
      <Show when={props.open.finder() === "palette"}>
        <CommandPalette
          find={{
            commands: [...props.found, ...themeCommands(props.theme)],
            dialogs: props.list.dialogs(),
            names: lists().names,
            deed: lists().deed,
            go: (route) => props.router.go(route),
          }}
          close={() => closeFinder("palette")}
        />
      </Show>
      <Show when={props.open.finder() === "keys"}>
        <KeysDialog commands={props.commands} close={() => closeFinder("keys")} />
      </Show>
    </>
  );
}
