import { createEffect, createMemo, createSignal, onCleanup, Show, Suspense } from "solid-js";
import type { ServerView } from "../../protocol/index.ts";
import { createEngineEvents, createListener } from "../model/api/events.ts";
import { createDrafts } from "../docs/drafts.ts";
import { createFiles } from "../docs/files.ts";
import { dropGlances } from "../docs/glance.ts";
import { mainDoc } from "../docs/names.ts";
import { createDialogList } from "../dialogs/list.ts";
import { createStarter } from "../dialogs/start.ts";
import { setWorking, update } from "../pwa/update.ts";
import { Header } from "./Header.tsx";
import { engineState } from "../engine-client/index.ts";
import { createNotices } from "../ui/notices.ts";
import { NoticeRegion } from "../ui/Notices.tsx";
import type { ProviderName } from "../providers/names.ts";
import { appCommands } from "./app-commands.ts";
import type { Command } from "../ui/commands.ts";
import { createDrops } from "./drops.ts";
import { listenForKeys } from "./global-keys.ts";
import { currentProject } from "../model/current-project.ts";
import { loadDialogs, Panel } from "./Panel.tsx";
import { type ProjectTask, projectCommands } from "../model/project.ts";
import { createRoute, type Route, type Tab } from "../model/route.ts";
import { createShown } from "../model/shown.ts";
import { createUnlocker } from "../providers/unlock.ts";
import { createTheme } from "../ui/theme.ts";
import { pageTitle } from "./title.ts";
import { guardUnsaved } from "../model/unsaved.ts";
import { isFirstBegun, noteBegun } from "../welcome/begun.ts";
import { beginKey } from "../welcome/begin-key.ts";
import * as t from "../texts/frame.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { onChange } from "../ui/on-change.ts";

const StartDialog = lazyPart(() => import("../dialogs/StartDialog.tsx"));
const Overlays = lazyPart(() => import("./Overlays.tsx"));
const WelcomePage = lazyPart(() => import("../welcome/WelcomePage.tsx"));
const UpdateNotice = lazyPart(() => import("../pwa/UpdateNotice.tsx"));
const LostBar = lazyPart(() => import("../storage/LostBar.tsx"));
const PreviewPane = lazyPart(() => import("../preview/PreviewPane.tsx"));

/** Milliseconds until a draft is written to the browser's storage. */
const draftPause = 250;
/** Milliseconds after the first page until the code that it did not need is fetched. */
const idle = 1_500;
/** The style sheet's condition for showing one pane at a time. */
const onePane = "(max-width: 46rem)";

/** On windows this narrow the preview doesn't open by itself: it would leave too little room for a dialog. */
const tooNarrow = "(max-width: 64rem)";

export function App() {
  const theme = createTheme();
  const notices = createNotices();
  const notLoaded = (error: unknown) => notices.add({ message: t.partNotLoaded(String(error)) });
  const events = createEngineEvents();
  const files = createFiles(events);
  const list = createDialogList(events);
  const main = { tab: "docs", file: { kind: "doc", name: mainDoc } } as const;
  /** Before the first paint, public/first.js has decided which page shows. */
  const root = document.documentElement;
  const router = createRoute(location.hash === "" && root.dataset["place"] === "welcome" ? { tab: "welcome" } : main);
  const drafts = createDrafts(
    localStorage,
    (write) => setTimeout(write, draftPause),
    currentProject(),
    () => dropGlances(localStorage),
  );
  guardUnsaved(drafts);
  /** The provider whose settings are open. */
  const [settings, setSettings] = createSignal<ProviderName | null>(null);
  const [settingsChanges, setSettingsChanges] = createSignal(0);
  const storage = ({ key, newValue }: StorageEvent) => drafts.stored(key, newValue);
  addEventListener("storage", storage);
  onCleanup(() => removeEventListener("storage", storage));
  const [preview, setPreview] = createSignal(false);
  /** Whether the preview opened by itself. */
  const [unasked, setUnasked] = createSignal(false);
  const [task, setTask] = createSignal<ProjectTask | null>(null);
  const unlocker = createUnlocker();
  const starter = createStarter({
    ready: unlocker.ready,
    opened: (dialogId) => router.go({ tab: "dialogs", dialogId }),
    failed: (message) => notices.add({ message }),
  });

  const [otherProjects, setOtherProjects] = createSignal<readonly Command[]>([]);
  /** Null while there is only one project. */
  const [projectName, setProjectName] = createSignal<string | null>(null);
  const tellProjects = (name: string | null, others: readonly Command[]) => {
    setProjectName(name);
    setOtherProjects(others);
  };
  const projectMenu = () => [
    { label: t.agents, run: () => router.go({ tab: "agents" }) },
    { label: t.stations, run: () => router.go({ tab: "stations" }) },
    { label: t.cost, run: actions.cost },
    ...projectCommands(setTask),
    { label: t.restoreState, run: () => router.go({ tab: "history", commit: null, path: null }) },
    { label: t.welcome, run: () => router.go({ tab: "welcome" }) },
    ...otherProjects(),
  ];
  const [finder, setFinder] = createSignal<"palette" | "keys" | null>(null);
  const shown = createShown(router);
  const { tab, dialog, historyPage, welcome } = shown;
  const hasPages = createMemo(() => files.deed().some(({ path }) => path.endsWith(".html") && !path.includes("node_modules/")));
  const [servers, setServers] = createSignal<readonly ServerView[]>([]);
  const [server, setServer] = createSignal<ServerView | null>(null);
  /** Whether the preview is visible: it is open, and there is something to see. */
  const previews = () => preview() && showable() && !welcome();
  const showable = () => hasPages() || servers().length > 0;
  /**
   * Choosing the current tab leads from an open dialog to the list of dialogs. With one pane at a time, it also leads from a file to the list of
   * files.
   */
  function choose(next: Tab) {
    if (next !== tab()) router.go(router.last(next));
    else if (next === "dialogs" || matchMedia(onePane).matches) router.go(bare(next));
  }

  const actions = {
    palette: () => setFinder("palette"),
    keys: () => setFinder("keys"),
    docs: () => router.go(router.last("docs")),
    dialogs: () => choose("dialogs"),
    history: () => router.go(router.last("history")),
    log: () => router.go({ tab: "history", events: {} }),
    cost: () => router.go({ tab: "cost", page: "cost" }),
    nextWaiting,
    start: () => void starter.start(),
    settings: () => setSettings("claude"),
    preview: () => {
      setUnasked(false);
      setPreview(welcome() || !preview());
      // The preview can't show beside the welcome page.
      if (welcome()) router.go(router.last("docs"));
    },
  };
  const commands = () => appCommands(actions, showable());
  // Read at each key press.
  // oxlint-disable-next-line solid/reactivity
  listenForKeys(commands, actions.keys);

  /** Goes to the dialog that has waited longest. If a waiting dialog is open, goes to the next one. */
  function nextWaiting() {
    const waiting = list.waitingInOrder();
    const at = waiting.findIndex(({ dialogId }) => dialogId === dialog()?.dialogId);
    const next = waiting[(at + 1) % waiting.length];
    if (next) router.go({ tab: "dialogs", dialogId: next.dialogId });
    else notices.announce(t.noneWaits);
  }

  createEffect(() => {
    root.dataset["place"] = welcome() ? "welcome" : "app";
  });
  const isEmpty = () => files.names().length === 0 && files.deed().length === 0;
  const begun = () => (files.loaded() ? !isEmpty() : currentProject() !== "" || isFirstBegun());
  createEffect(() => {
    if (!isEmpty()) noteBegun();
  });
  // The notes that public/first.js reads may be wrong. The engine decides, unless the address names a place or the user has gone somewhere.
  onChange(files.loaded, (loaded) => {
    if (!loaded || location.hash !== "" || files.problem() !== null) return;
    if (isEmpty() && tab() === "docs") router.replace({ tab: "welcome" });
    else if (!isEmpty() && welcome()) router.replace(main);
  });
  if (sessionStorage.getItem(beginKey) !== null)
    import("../welcome/begin.ts")
      .then(({ beginHanded }) => beginHanded({ files, router, starter }))
      .then((problem) => problem !== null && notices.add({ message: problem }))
      .catch(notLoaded);
  createEffect(() => {
    document.title = pageTitle(list.waiting(), projectName());
  });
  onChange(drafts.full, (full) => {
    if (!full) return;
    notices.add({
      message: t.storageFull,
    });
  });
  createListener(events, (event) => {
    const { dialogId } = event.type === "hello" ? { dialogId: null } : event;
    if (event.type === "dialog_removed" && dialogId !== null)
      import("../dialogs/drafts.ts").then(({ outboxOf }) => outboxOf(drafts).drop(dialogId)).catch(notLoaded);
    if (event.type === "keys") {
      setSettingsChanges(settingsChanges() + 1);
      void unlocker.look();
    }
    if (event.type !== "notice") return;
    notices.add({
      message: event.data.message,
      ...(dialogId === null ? {} : { href: `#/dialogs/${encodeURIComponent(dialogId)}` }),
    });
  });
  const [handed, setHanded] = createSignal<{ readonly full: boolean } | null>(null);
  let stopLater = () => {};
  let gone = false;
  async function beginLater() {
    void loadDialogs();
    void Overlays.preload();
    const { startLater } = await import("./later.ts");
    if (gone) return;
    stopLater = startLater({
      preview: {
        loaded: files.loaded,
        hasPages,
        isFree: () => dialog()?.dialogId != null && list.waiting() === 0 && !matchMedia(tooNarrow).matches,
        open() {
          setUnasked(!preview());
          setPreview(true);
        },
      },
      drops,
      events,
      notices,
      list,
      begin: setTask,
      openDialog: (dialogId) => router.go({ tab: "dialogs", dialogId }),
      tellProjects,
      showHanded: (full) => setHanded({ full }),
      tellServers: setServers,
      showServer: (wanted) => {
        setServer(wanted);
        setPreview(true);
      },
    });
  }
  let isBegun = false;
  /** If the code can't be fetched, the next drag over the page tries again. */
  function beginOrSay() {
    if (isBegun) return;
    isBegun = true;
    beginLater().catch((error: unknown) => {
      isBegun = false;
      notLoaded(error);
    });
  }
  const timer = setTimeout(beginOrSay, idle);
  const drops = createDrops(beginOrSay);
  onCleanup(() => {
    gone = true;
    clearTimeout(timer);
    drops.stop();
    stopLater();
    setWorking(false);
  });
  createEffect(() => setWorking(list.dialogs().some(({ status }) => status === "active")));
  // Drafts may have been deleted with the rest of the storage. Write them again before the page closes.
  createEffect(() => {
    if (engineState().kind === "lost") drafts.keepAll();
  });

  return (
    <div class="shell" classList={{ "with-preview": previews() }}>
      <Header
        tab={tab()}
        isHistory={historyPage() !== false}
        begun={begun() || !welcome()}
        choose={choose}
        waiting={list.waiting()}
        project={projectMenu()}
        name={projectName()}
        find={() => setFinder("palette")}
        settings={() => setSettings("claude")}
        start={() => void starter.start()}
        starting={starter.starting()}
        preview={showable() ? { open: preview(), toggle: actions.preview } : null}
      />
      <NoticeRegion notices={notices}>
        <Show when={engineState().kind === "lost" || engineState().kind === "failed"}>
          <LostBar state={engineState()} />
        </Show>
        <Show when={update()}>
          <UpdateNotice />
        </Show>
      </NoticeRegion>
      <Show when={!welcome()} fallback={<WelcomePage files={files} router={router} starter={starter} task={setTask} />}>
        <main class="work">
          <Panel
            shown={shown}
            router={router}
            files={files}
            events={events}
            list={list}
            drafts={drafts}
            providers={{ changes: settingsChanges, settings: setSettings, ready: unlocker.ready }}
            notices={notices}
            starter={starter}
            begin={setTask}
            guide={() => setTask({ kind: "guide" })}
          />
        </main>
      </Show>
      <Suspense>
        <Show when={previews()}>
          <PreviewPane
            events={events}
            servers={servers()}
            server={server()}
            hasPages={hasPages()}
            unasked={unasked()}
            close={() => setPreview(false)}
          />
        </Show>
        <Show when={settings() || unlocker.asks() || task() || handed() || finder()}>
          <Overlays
            open={{ settings, setSettings, task, setTask, finder, setFinder, handed, setHanded, unlocker }}
            theme={theme}
            notices={notices}
            events={events}
            drafts={drafts}
            files={files}
            list={list}
            router={router}
            changes={settingsChanges()}
            changed={() => setSettingsChanges(settingsChanges() + 1)}
            commands={commands()}
            found={[...commands().filter(({ run }) => run !== actions.palette), ...projectMenu()]}
            tellProjects={tellProjects}
          />
        </Show>
        <Show when={starter.choosing()}>
          <StartDialog starter={starter} ownKey={() => setSettings("claude")} />
        </Show>
      </Suspense>
    </div>
  );
}

const bare = (tab: Tab): Route => (tab === "docs" ? { tab, file: null } : { tab, dialogId: null });
