/** The engine's worker: puts the parts together for a browser. What the first sentence does not need is loaded later. */
import { openIdbFiles } from "../fs/idb.ts";
import { startEngine } from "./engine.ts";
import type { SharedKeys } from "./keys.ts";
import type { Handler } from "./port/answer-calls.ts";
import type { ToEngine, WorkerNews } from "./port/messages.ts";
import { defaultBaseURL as claudeURL, defaultModel as claudeModel } from "./providers/claude/defaults.ts";
import { systemDeps } from "./providers/deps.ts";
import type { ProviderKind } from "./providers/desk.ts";
import { lazyProvider } from "./providers/lazy.ts";
import { defaultBaseURL as openaiURL, defaultModel as openaiModel } from "./providers/openai/defaults.ts";
import { idbSettings } from "./settings-idb.ts";
import { openTab } from "./tabs/tab.ts";
import { browserTabs } from "./tabs/world.ts";

/** Of the one project that this version has. */
const project = "vibey-project";

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

async function start(keys: SharedKeys): Promise<Handler> {
  const files = await openIdbFiles({ name: project, now: () => Date.now() });
  const engine = await startEngine({
    files,
    settings: await idbSettings("vibey-settings"),
    providers,
    keys,
    async sandbox() {
      const [{ browserSandbox }, { browserOutside }] = await Promise.all([import("./sandbox/browser.ts"), import("./network/browser.ts")]);
      const openFrame = (port: MessagePort) => tell({ kind: "request", port }, [port]);
      return { ...browserSandbox(files), outside: browserOutside(self.location.origin, openFrame) };
    },
    history: async () => (await import("../fs/history/idb-store.ts")).openIdbHistoryStore(`${project}-history`),
    now: () => new Date(),
    later: (then, ms) => void setTimeout(then, ms),
    welcome: async () => (await import("./welcome/welcome.ts")).welcomeFiles(),
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

self.addEventListener("message", ({ data }: MessageEvent<{ readonly kind: "port"; readonly port: MessagePort }>) => {
  if (data.kind !== "port") return;
  const { port } = data;
  const take = tab.connect((message, transfer = []) => port.postMessage(message, transfer));
  port.addEventListener("message", (event: MessageEvent<ToEngine>) => take(event.data));
  port.start();
});
