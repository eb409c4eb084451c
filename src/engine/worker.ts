/** The engine's worker: assembles the engine for a browser. Parts that aren't needed at first are loaded later. */
import { opfsHas } from "../fs/copy/opfs-has.ts";
import type { Files } from "../fs/files.ts";
import type { NodeEngine, SandboxName } from "../protocol/index.ts";
import { openIdbFiles } from "../fs/idb.ts";
import { startEngine } from "./engine.ts";
import { openSocket } from "./gateways/socket-in-browser.ts";
import type { DroppedKeys, SharedKeys } from "./vault/keys.ts";
import type { Handler } from "../protocol/port/answer-calls.ts";
import type { EnginePort, ToEngine, WorkerNews } from "../protocol/port/messages.ts";
import { defaultBaseURL as claudeURL, defaultModel as claudeModel } from "./providers/claude/defaults.ts";
import { systemDeps } from "./providers/deps.ts";
import type { ProviderKind } from "./providers/provider-registry.ts";
import { lazyProvider } from "./providers/lazy.ts";
import { defaultBaseURL as openaiURL, defaultModel as openaiModel } from "./providers/openai/defaults.ts";
import { projectName, projectOf } from "../protocol/project-name.ts";
import { openRecoveryGate } from "./project/recovery/recovery-gate.ts";
import type { Witnesses } from "./project/recovery/doubt.ts";
import { idbSettings } from "./settings/settings-idb.ts";
import type { CarriedKeys } from "./tabs/carried-keys.ts";
import { openTab } from "./tabs/tab.ts";
import { browserTabs } from "./tabs/world.ts";
import { idbVaultStore } from "./vault/store-idb.ts";

/** The name of this worker's project. */
const project = projectName(projectOf(self.name));

const olderTab =
  "Another tab has this project open in an older version of Vibey and isn't responding. Close or reload that tab to continue.";

const providers: readonly ProviderKind[] = [
  {
    name: "claude",
    defaultModel: claudeModel,
    defaultBaseURL: claudeURL,
    make: (settings, memory) =>
      lazyProvider("claude", async () => (await import("./providers/claude/index.ts")).claudeProvider(settings, systemDeps, memory)),
  },
  {
    name: "openai",
    defaultModel: openaiModel,
    defaultBaseURL: openaiURL,
    onThisDevice: true,
    make: (settings, memory) =>
      lazyProvider("openai", async () => (await import("./providers/openai/index.ts")).openaiProvider(settings, systemDeps, memory)),
  },
  {
    name: "demo",
    defaultModel: "scripted",
    defaultBaseURL: "",
    make: () => lazyProvider("demo", async () => (await import("./providers/demo/demo.ts")).demoProvider(systemDeps)),
  },
];

const report = (error: unknown) => console.error(error);
const tell = (news: WorkerNews, transfer: Transferable[] = []) => self.postMessage(news, transfer);

/** The name of the project's backup, a folder in the origin's private file system. */
const copyName = `${project}-copy`;
const place = async () => (await import("../fs/copy/backup-location.ts")).opfsLocation(copyName);
const reserve = async () => (await import("../fs/copy/reserve.ts")).opfsReserve(copyName);
const written = async () => (await import("../fs/copy/written.ts")).opfsWritten(copyName);
const later = (then: () => void, ms: number) => void setTimeout(then, ms);

const open = () => openIdbFiles({ name: project, now: () => Date.now(), onBlocked: () => tell({ kind: "waiting", message: olderTab }) });

let settingsStore: ReturnType<typeof idbSettings> | null = null;
function openSettings(): ReturnType<typeof idbSettings> {
  settingsStore ??= idbSettings("vibey-settings").catch((error: unknown) => {
    settingsStore = null;
    throw error;
  });
  return settingsStore;
}

const witnesses: Witnesses = {
  hasCopy: () => opfsHas(copyName),
  place,
  isNoted: async () => (await written()).isNoted(),
  note: async () => (await written()).read(),
  settingsNote: async () => (await import("../fs/copy/note.ts")).parseNote(await (await openSettings()).readNote(project)),
};

function start(keys: SharedKeys, failed: (error: unknown) => void): Promise<Handler> {
  return openRecoveryGate({
    open,
    async doubt(files) {
      const [hasCopy, note] = await Promise.all([witnesses.hasCopy(), openSettings().then((store) => store.readNote(project))]);
      if (!hasCopy && note === undefined && files.damage === null) return null;
      return (await import("./project/recovery/doubt.ts")).doubt(files, witnesses);
    },
    async noteWritten() {
      const store = await openSettings();
      // The note of a backup says more, so keep it.
      if ((await store.readNote(project)) === undefined)
        await store.writeNote(project, { revision: null, at: Date.now(), docs: 0, dialogs: 0, files: 0, bytes: 0 });
      // Last, since some browsers have no private files.
      await (await written()).note();
    },
    makeRoom: async () => {
      if (!(await opfsHas(copyName))) return false;
      const older = await (await import("../fs/copy/found.ts")).spareOlder(await place());
      return (await (await reserve()).spend()) || older;
    },
    startEngine: (files) => startOn(files, keys),
    startCopy: async (files, differs) => {
      const { startCopy } = await import("./project/recovery/second-copy.ts");
      const source = await files.source();
      return startCopy({
        source,
        place,
        reserve: await reserve(),
        now: () => Date.now(),
        later,
        newId: () => crypto.randomUUID(),
        async note(note) {
          await (await openSettings()).writeNote(project, note);
          await (await written()).write(note);
        },
        noted: witnesses.note,
        differs,
        report,
      });
    },
    recovery: async (loss, proceed) =>
      (await import("./project/recovery/recovery.ts")).recovery({
        name: project,
        loss,
        place,
        open,
        written: async () => (await (await openSettings()).readNote(project)) !== undefined || (await written()).isNoted(),
        async notes() {
          const { note, settingsNote } = await (await import("./project/recovery/doubt.ts")).notesOf(witnesses);
          return [note, settingsNote].filter((each) => each !== null);
        },
        proceed,
        later,
        report,
      }),
    failed,
    later,
    report,
  });
}

async function startOn(files: Files, keys: SharedKeys): Promise<Handler> {
  const [store, vault] = await Promise.all([openSettings(), idbVaultStore("vibey-keys")]);
  const dropping = new BroadcastChannel("vibey-keys-dropped");
  const engine = await startEngine({
    files,
    settings: store,
    vault,
    agentKeys: store.agentKeys(project),
    providers,
    keys,
    otherEngines: {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: it never leaves the origin.
      tell: (dropped) => dropping.postMessage(dropped),
      hear: (listener) => dropping.addEventListener("message", ({ data }: MessageEvent<DroppedKeys>) => listener(data)),
    },
    async sandbox() {
      const [{ browserSandbox }, { browserOutside }] = await Promise.all([import("./shell-in-browser.ts"), import("./network/browser.ts")]);
      const openFrame = (port: MessagePort) => tell({ kind: "request", port }, [port]);
      const choice = { read: () => store.readSandbox(project), write: (name: SandboxName) => store.writeSandbox(project, name) };
      const node = {
        read: () => store.readNodeEngine(project),
        write: (chosen: NodeEngine) => store.writeNodeEngine(project, chosen),
      };
      let frames = 0;
      const openPrograms = (port: MessagePort) => {
        const id = ++frames;
        tell({ kind: "programs", id, port }, [port]);
        return () => tell({ kind: "programs", id, port: null });
      };
      const openWebContainer = (port: MessagePort) => tell({ kind: "computer", port }, [port]);
      const askForServiceWorker = () => tell({ kind: "service-worker" });
      return {
        ...(await browserSandbox({ files, choice, node, openWebContainer, openPrograms, askForServiceWorker })),
        outside: browserOutside(self.location.origin, openFrame),
      };
    },
    history: async () => (await import("../fs/history/idb-store.ts")).openIdbHistoryStore(`${project}-history`),
    newProject: async (name) => (await import("./project/zip/browser.ts")).newProject(name),
    projects: {
      list: async () => (await import("./project/zip/browser.ts")).projects(),
      rename: async (id, name) => (await import("./project/zip/manage.ts")).renameProject(id, name),
      remove: async (id) => (await import("./project/zip/manage.ts")).removeProject(id),
    },
    bridge: { store: store.bridgeOf(project), project: projectOf(self.name), connect: openSocket },
    now: () => new Date(),
    later,
    demoDocs: async () => (await import("./project/welcome/welcome.ts")).welcomeFiles(),
    report,
  });
  return engine.fetch;
}

const tab = openTab({
  world: browserTabs,
  name: project,
  start,
  tell,
  end: () => self.close(),
});

/** Settles when this worker has received what it takes over. A hand-over waits for it, so that this is passed on too. */
let taken: Promise<void> = Promise.resolve();

self.addEventListener("message", ({ data: { kind, port } }: MessageEvent<EnginePort>) => {
  if (kind === "hand-over") return void taken.then(() => port.postMessage(tab.handOver()));
  if (kind === "take-over") {
    taken = new Promise((resolve) => {
      port.addEventListener("message", ({ data }: MessageEvent<readonly CarriedKeys[]>) => resolve(tab.takeOver(data)), { once: true });
    });
    return port.start();
  }
  const take = tab.connect((message, transfer = []) => port.postMessage(message, transfer));
  port.addEventListener("message", (event: MessageEvent<ToEngine>) => take(event.data));
  port.start();
});
