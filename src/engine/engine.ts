import type { Files, FileStat } from "../fs/files.ts";
import type { Path } from "../fs/path.ts";
import type { HistoryStore } from "../fs/history/store.ts";
import { nameOf } from "../fs/vibey-name.ts";
import type { AgentsParts } from "./agents.ts";
import type { Agents } from "./routes/context.ts";
import { type DialogStore, dialogStore } from "./dialogs/store.ts";
import { eventBus } from "./events.ts";
import { parseDialogFilename } from "../dialog/name.ts";
import { drop, type DroppedKeys, type SharedKeys } from "./vault/keys.ts";
import { createLog, type Log, readIndex } from "./log/log.ts";
import { firstLimits } from "../protocol/first-limits.ts";
import { trackFileChanges } from "./projections/file-changes.ts";
import { type BridgeParts, lazyGateway, noBridge } from "./gateways/lazy-gateway.ts";
import { type AgentKeyStore, memoryAgentKeys } from "./outside/key-store.ts";
import { type HistoryFacade, historyFacade } from "./project/history/history-facade.ts";
import type { NewProject } from "./project/zip/new-project.ts";
import { noProjects, type ProjectShelf } from "./project/zip/shelf.ts";
import { type ProviderRegistry, type ProviderKind, providerRegistry } from "./providers/provider-registry.ts";
import { createRouter } from "./router.ts";
import type { RouteContext } from "./routes/context.ts";
import type { PriceStore, SettingsStore, UserStore } from "./settings/settings.ts";
import { lazyVault } from "./vault/lazy-vault.ts";
import { memoryVaultStore, type VaultStore } from "./vault/store.ts";
import { watchFiles } from "./project/watch-files.ts";

/** The parts that an engine is made of. */
export interface EngineParts {
  readonly files: Files;
  readonly settings: SettingsStore & PriceStore & UserStore;
  readonly providers: readonly ProviderKind[];
  readonly keys: SharedKeys;
  /** Stores keys, encrypted. Without a store, keys last as long as the engine. */
  readonly vault?: VaultStore;
  /** Stores the keys of agents outside Vibey. Without a store, they last as long as the engine. */
  readonly agentKeys?: AgentKeyStore;
  /** Tells the engines of other projects which keys were locked or forgotten here, and hears the same from them. Left out if there are none. */
  readonly otherEngines?: { tell(dropped: DroppedKeys): void; hear(listener: (dropped: DroppedKeys) => void): void };
  /** The sandbox, what the model is told about it, and its network access. Called once, before agents start to work. */
  readonly sandbox: () => Promise<Pick<AgentsParts, "sandbox" | "sandboxAbout" | "sandboxSelector" | "outside">>;
  /** Opens the store of the project's history. Called when the engine is idle. Left out if the project keeps no history. */
  readonly history?: () => Promise<HistoryStore>;
  /** Creates another project with this name, for an import. Left out if no other project can be created. */
  readonly newProject?: (name: string) => Promise<NewProject>;
  /** The projects besides the first one. Left out if there are none. */
  readonly projects?: ProjectShelf;
  /** Lets programs outside reach the engine over a bridge. Left out if none can. */
  readonly bridge?: BridgeParts;
  readonly now: () => Date;
  readonly later: (then: () => void, ms: number) => void;
  /** The docs of the demo, for a project without files. Left out if there is no demo. */
  readonly demoDocs?: RouteContext["demoDocs"];
  readonly report: (error: unknown) => void;
}

export interface Engine {
  /** Answers everything that a screen can request. See `protocol/routes.ts`. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * Starts the engine of one project: becomes its only writer, repairs what an earlier engine left unfinished, then answers requests. Docs can be
 * read and written at once. The half that runs agents loads right after that, or with the first request that needs it.
 */
export async function startEngine(parts: EngineParts): Promise<Engine> {
  const { report } = parts;
  const fileChanges = trackFileChanges(parts.files, {
    textAt: (path, version) => history.older.textAt(path, version),
    changesSince: (path, time) => history.older.changesSince(path, time),
  });
  const history: HistoryFacade = historyFacade(fileChanges.files);
  const { files } = history;
  const epoch = await files.lead();
  const bus = eventBus(report);
  const stats = await files.list();
  const log: Log = createLog({
    files,
    epoch,
    commits: () => history.commits(),
    isKept: await isIndexKept(files, stats),
    alone: (work) => store.alone(work),
    later: parts.later,
    report,
  });
  const store: DialogStore = dialogStore({ files, epoch, flushMs: firstLimits.flushMs, log, later: parts.later, report });
  if (parts.history) keepHistory(parts.history);
  const keysChanged = () => bus.emit({ type: "keys", data: {} });
  const vault = await lazyVault({
    store: parts.vault ?? memoryVaultStore(),
    keys: parts.keys,
    addresses: () => providers.addresses(),
    changed: keysChanged,
    dropped: (what) => parts.otherEngines?.tell(what),
  });
  const providers: ProviderRegistry = await providerRegistry(parts.providers, parts.settings, parts.keys, report, vault);
  await vault.now()?.refresh();
  parts.keys.observe(keysChanged);
  parts.otherEngines?.hear((what) => {
    drop(parts.keys, what);
    void vault.now()?.refresh().catch(report);
  });

  let loading: Promise<Agents> | undefined;
  const agents = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  async function load(): Promise<Agents> {
    const [{ startAgents }, sandbox] = await Promise.all([import("./agents.ts"), parts.sandbox()]);
    const { settings } = parts;
    return startAgents({
      bridge: () => gateway.address(),
      files,
      store,
      epoch,
      bus,
      providers,
      settings,
      now: parts.now,
      later: parts.later,
      fileChanges,
      report,
      ...sandbox,
    });
  }

  function keepHistory(openStore: () => Promise<HistoryStore>): void {
    history.open(bus, async () => {
      const [{ startHistory }, historyStore] = await Promise.all([import("./project/history/start.ts"), openStore()]);
      const commit: DialogStore["other"] = (changes, options) => store.other(changes, options);
      const committed = (number: number) => void store.noteCommits(number).catch(report);
      return startHistory({ store: historyStore, files, fileChanges, commit, committed, bus, now: parts.now, later: parts.later, report });
    });
    parts.later(() => void history.load().catch(report), firstLimits.historyStartMs);
  }

  // A dialog that an earlier engine left active must not look alive.
  if (stats.some(({ path }) => statusOf(path) === "active")) await agents().catch(report);
  else parts.later(() => void agents().catch(report), 0);
  watchFiles(files, bus);
  const { newProject = null, projects = noProjects, demoDocs = async () => [], agentKeys = memoryAgentKeys(), now, later } = parts;
  const gateway = lazyGateway(parts.bridge ?? noBridge, {
    epoch,
    now,
    later,
    handler: (request) => fetch(request),
    changed: () => bus.emit({ type: "bridge", data: {} }),
  });
  const fetch = createRouter(
    {
      files,
      store,
      agents,
      providers,
      vault,
      bus,
      log,
      history,
      gateway: gateway.gateway,
      now,
      later,
      newProject,
      projects,
      demoDocs,
      agentKeys,
    },
    report,
  );
  later(() => void gateway.start().catch(report), 0);
  return { fetch };
}

const statusOf = (path: Path) => parseDialogFilename(nameOf(path) ?? "")?.status ?? null;

/** Whether the index has existed since the first dialog. In a project from an older Vibey, or a restored one, the index has no entries. */
async function isIndexKept(files: Files, stats: readonly FileStat[]): Promise<boolean> {
  if (!stats.some(({ path }) => statusOf(path) !== null)) return true;
  return ((await readIndex(files, { limit: 1 }))?.entries.length ?? 0) > 0;
}
