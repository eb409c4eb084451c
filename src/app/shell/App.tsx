import { createEffect, createMemo, createSignal, lazy, onCleanup, Show, Suspense } from "solid-js";
import { createEngineEvents, createListener } from "../api/events.ts";
import { createDrafts } from "../docs/drafts.ts";
import { createFiles } from "../docs/files.ts";
import DocsTab from "../docs/DocsTab.tsx";
import { mainDoc } from "../docs/names.ts";
import { draftKey } from "../dialogs/drafts.ts";
import { pageTitle } from "../dialogs/groups.ts";
import { createDialogList } from "../dialogs/list.ts";
import { createStarter } from "../dialogs/start.ts";
import { Header } from "./Header.tsx";
import { createNotices } from "./notices.ts";
import { NoticeRegion } from "./Notices.tsx";
import { exportCommands } from "./project.ts";
import { createRoute, type Route } from "./route.ts";
import { createTheme } from "./theme.ts";
import { guardUnsaved } from "./unsaved.ts";

const loadDialogs = () => import("../dialogs/DialogsTab.tsx");
const DialogsTab = lazy(loadDialogs);
const StartDialog = lazy(() => import("../dialogs/StartDialog.tsx"));
const SettingsDialog = lazy(() => import("../settings/SettingsDialog.tsx"));
const PreviewPane = lazy(() => import("../preview/PreviewPane.tsx"));

/** Milliseconds after which a draft is written to the browser's storage. */
const draftPause = 250;
/** Milliseconds after the first page at which what it did not need is fetched. */
const idle = 1_500;
/** The layout with one pane at a time, as the style sheet has it. */
const onePane = "(max-width: 46rem)";

export function App() {
  const theme = createTheme();
  const notices = createNotices();
  const events = createEngineEvents();
  const files = createFiles(events);
  const list = createDialogList(events);
  const router = createRoute({ tab: "docs", file: { kind: "doc", name: mainDoc } });
  const drafts = createDrafts(localStorage, (write) => setTimeout(write, draftPause));
  guardUnsaved(drafts);
  const [settings, setSettings] = createSignal(false);
  const [preview, setPreview] = createSignal(false);
  const starter = createStarter({
    opened: (dialogId) => router.go({ tab: "dialogs", dialogId }),
    failed: (message) => notices.add({ message }),
  });

  const tab = () => router.route().tab;
  const file = createMemo(() => {
    const route = router.route();
    return route.tab === "docs" ? route.file : null;
  });
  const dialogId = createMemo(() => {
    const route = router.route();
    return route.tab === "dialogs" ? route.dialogId : null;
  });
  const showable = createMemo(() => files.deed().some(({ path }) => path === "index.html"));
  /** Where there is room for one pane only, the tab that shows leads back to its list. */
  function choose(next: Route["tab"]) {
    if (next !== tab()) router.go(router.last(next));
    else if (matchMedia(onePane).matches) router.go(bare(next));
  }

  createEffect(() => {
    document.title = pageTitle(list.waiting());
  });
  createEffect(() => {
    if (drafts.full())
      notices.add({
        message: "The browser's storage is full: unsaved text is kept only until this page is closed. Save it, or export the project.",
      });
  });
  createListener(events, (event) => {
    if (event.type === "dialog-removed") drafts.drop(draftKey(event.dialogId));
    if (event.type !== "notice") return;
    notices.add({
      message: event.message,
      ...(event.dialogId === null ? {} : { href: `#/dialogs/${encodeURIComponent(event.dialogId)}` }),
    });
  });
  const timer = setTimeout(() => void loadDialogs(), idle);
  onCleanup(() => clearTimeout(timer));

  return (
    <div class="shell" classList={{ "with-preview": preview() && showable() }}>
      <Header
        tab={tab()}
        choose={choose}
        waiting={list.waiting()}
        project={exportCommands((message) => notices.add({ message }))}
        settings={() => setSettings(true)}
        start={() => void starter.start()}
        starting={starter.starting()}
        preview={showable() ? { open: preview(), toggle: () => setPreview(!preview()) } : null}
      />
      <NoticeRegion notices={notices} />
      <main class="work">
        <div class="panel" id="panel" role="tabpanel" aria-labelledby={`tab-${tab()}`}>
          <Suspense>
            <Show
              when={tab() === "docs"}
              fallback={<DialogsTab router={router} list={list} drafts={drafts} notices={notices} starter={starter} target={dialogId()} />}
            >
              <DocsTab router={router} files={files} drafts={drafts} events={events} notices={notices} target={file()} />
            </Show>
          </Suspense>
        </div>
      </main>
      <Suspense>
        <Show when={preview() && showable()}>
          <PreviewPane events={events} close={() => setPreview(false)} />
        </Show>
        <Show when={settings()}>
          <SettingsDialog theme={theme} close={() => setSettings(false)} saved={() => notices.announce("Settings saved.")} />
        </Show>
        <Show when={starter.choosing()}>
          <StartDialog starter={starter} ownKey={() => setSettings(true)} />
        </Show>
      </Suspense>
    </div>
  );
}

const bare = (tab: Route["tab"]): Route => (tab === "docs" ? { tab, file: null } : { tab, dialogId: null });
