import { createAgentLookup } from "./agents/agent-lookup.ts";
import { newDialog } from "../dialog/edit.ts";
import type { Files } from "../fs/files.ts";
import { createCosts } from "./cost/gate.ts";
import { createLedger } from "./cost/ledger.ts";
import { openPrices } from "./cost/prices.ts";
import { createDialogs } from "./dialogs/dialogs.ts";
import { revisionsOf } from "./dialogs/live.ts";
import type { DialogStore } from "./dialogs/store.ts";
import type { EventBus } from "./events.ts";
import type { Follow } from "./network/follow.ts";
import { reservedOrigins } from "./network/reserved.ts";
import type { Send } from "./network/send.ts";
import { createPendingApprovals } from "./outside/pending-approvals.ts";
import type { FileChanges } from "./projections/file-changes.ts";
import { agentPath } from "./permissions/permissions.ts";
import type { ProviderRegistry } from "./providers/provider-registry.ts";
import { lacksKey } from "./providers/lacks-key.ts";
import { costRoutes } from "./routes/cost.ts";
import { dialogRoutes } from "./routes/dialogs.ts";
import { scheduleRoutes } from "./routes/agent-schedules.ts";
import { createSchedules } from "./scheduler/schedules.ts";
import { limitRoutes } from "./routes/limits.ts";
import { priceRoutes } from "./routes/prices.ts";
import { taskRoutes } from "./routes/agent-tasks.ts";
import { runRoutes } from "./routes/runs.ts";
import { sandboxRoutes } from "./routes/sandbox.ts";
import { userRoutes } from "./routes/user.ts";
import { streamRoutes } from "./routes/streams.ts";
import type { PriceStore, UserStore } from "./settings/settings.ts";
import type { SandboxSelector } from "../shell/sandbox-selector.ts";
import type { Sandbox } from "../shell/sandbox.ts";
import { decodeText } from "./text.ts";
import { editFile } from "./turn/tools/edit-file.ts";
import { systemOf } from "./turn/system-of.ts";
import { writeFile } from "./turn/tools/write-file.ts";
import type { Agents } from "./routes/context.ts";
import { createRoutes } from "./routes/route.ts";

export interface AgentsParts {
  readonly files: Files;
  readonly store: DialogStore;
  readonly epoch: number;
  readonly bus: EventBus;
  readonly providers: ProviderRegistry;
  readonly settings: PriceStore & UserStore;
  readonly sandbox: Sandbox;
  /** What the model is told about the sandbox. */
  readonly sandboxAbout: () => Promise<string>;
  /** Lets the user choose a sandbox. Missing if there is nothing to choose. */
  readonly sandboxSelector?: SandboxSelector;
  /** How commands reach the network, and Vibey's own origin. Missing if there is no network. */
  readonly outside?: { readonly send: Send; readonly follow: Follow | null; readonly ownOrigin: string };
  /** The address of the bridge in use. Null if there is none. */
  readonly bridge: () => string | null;
  readonly now: () => Date;
  readonly later: (then: () => void, ms: number) => void;
  readonly fileChanges: FileChanges;
  readonly report: (error: unknown) => void;
}

export async function startAgents(parts: AgentsParts): Promise<Agents> {
  const { files, store, bus, providers, outside, report } = parts;
  const loadList = () => import("./cost/list.ts").then(({ listPrices }) => listPrices);
  const prices = await openPrices(parts.settings, providers, { loadList, report });
  const ledger = createLedger(files, () => store.flush());
  const agents = createAgentLookup(files);
  const asks = createPendingApprovals();
  const costs = createCosts({ prices, ledger, bus, now: parts.now });
  const dialogs = createDialogs(
    {
      agents,
      userName: () => parts.settings.readUser(),
      asks,
      files,
      store,
      bus,
      revisions: revisionsOf(parts.epoch),
      now: parts.now,
      later: parts.later,
      fileChanges: parts.fileChanges,
      provider: (name) => providers.provider(name),
      lacksKey: (name) => lacksKey(providers, name),
      costs,
      defaultModel: (name) => providers.defaultModel(name) ?? "",
      sandbox: parts.sandbox,
      sandboxAbout: parts.sandboxAbout,
      outside: outside
        ? {
            send: outside.send,
            follow: outside.follow,
            reserved: () => reservedOrigins(providers.bases(), outside.ownOrigin, parts.bridge()),
          }
        : null,
      fileTools: [writeFile, editFile],
      readForDiff: (path) => readForDiff(files, path),
      report,
    },
    providers.names,
  );
  await dialogs.recoverAll();
  const app = createRoutes(report);
  dialogRoutes(app, { dialogs, providers, store, agents });
  limitRoutes(app, dialogs);
  priceRoutes(app, prices, parts.now);
  costRoutes(app, { ledger, now: parts.now });
  userRoutes(app, parts.settings);
  const schedules = createSchedules({
    files,
    dialogs,
    agents,
    providers: () => providers.names.filter((name) => name !== "demo" && lacksKey(providers, name) === null),
    defaultModel: (name) => providers.defaultModel(name) ?? "",
    isProvider: (name) => providers.names.some((one) => one === name),
    window: (name, model) => providers.provider(name)?.window(model) ?? null,
    systemOf: (agent) => systemOf(agent, parts),
    userName: () => parts.settings.readUser(),
    now: parts.now,
    later: parts.later,
    report,
  });
  scheduleRoutes(app, { files, store, schedules, agents, now: parts.now });
  schedules.start();
  sandboxRoutes(app, { about: parts.sandboxAbout, selector: parts.sandboxSelector ?? null, dialogs });
  parts.sandboxSelector?.listen(() => bus.emit({ type: "sandbox", data: {} }));
  taskRoutes(app, dialogs);
  runRoutes(app, { dialogs, providers, files });
  streamRoutes(app, dialogs);
  return {
    dialogs,
    asks,
    async heldBack(name, model) {
      const provider = providers.provider(name);
      const { cost: limit } = await dialogs.limits();
      return provider && costs.held({ dialogId: "", dialog: newDialog([]).dialog, turn: null, provider, model, limit });
    },
    costOf: (name, model, usage) => costs.of(name, model, usage),
    fetch: app.fetch,
  };
}

async function readForDiff(files: Files, given: unknown): Promise<string | null> {
  const target = typeof given === "string" ? agentPath(given) : null;
  const content = target?.ok ? await files.read(target.path) : null;
  return content ? decodeText(content.bytes) : null;
}
