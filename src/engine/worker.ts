/** The engine's worker: puts the parts together for a browser. What the first sentence does not need is loaded later. */
import { openIdbFiles } from "../fs/idb.ts";
import { startEngine } from "./engine.ts";
import { lead } from "./leader.ts";
import type { WorkerNews } from "./port/messages.ts";
import { servePort } from "./port/serve-port.ts";
import { defaultBaseURL, defaultModel } from "./providers/claude/models.ts";
import { systemDeps } from "./providers/deps.ts";
import type { ProviderKind } from "./providers/desk.ts";
import { lazyProvider } from "./providers/lazy.ts";
import { idbSettings } from "./settings-idb.ts";

/** Of the one project that this version has. */
const project = "vibey-project";

const providers: readonly ProviderKind[] = [
  {
    name: "claude",
    defaultModel,
    defaultBaseURL,
    make: (settings) =>
      lazyProvider("claude", async () => (await import("./providers/claude/index.ts")).claudeProvider(settings, systemDeps)),
  },
  {
    name: "demo",
    defaultModel: "scripted",
    defaultBaseURL: "",
    make: () => lazyProvider("demo", async () => (await import("./providers/demo/demo.ts")).demoProvider(systemDeps)),
  },
];

const tell = (news: WorkerNews) => self.postMessage(news);
const report = (error: unknown) => console.error(error);

async function start(): Promise<(request: Request) => Promise<Response>> {
  await lead(navigator.locks, `${project}-engine`, () => tell({ kind: "elsewhere" }));
  const files = await openIdbFiles({ name: project, now: () => Date.now() });
  const engine = await startEngine({
    files,
    settings: await idbSettings("vibey-settings"),
    providers,
    async sandbox() {
      const { browserSandbox } = await import("./sandbox/browser.ts");
      return browserSandbox(files);
    },
    now: () => new Date(),
    later: (then, ms) => void setTimeout(then, ms),
    welcome: async () => (await import("./welcome/welcome.ts")).welcomeFiles(),
    report,
  });
  tell({ kind: "ready" });
  return engine.fetch;
}

const started = start();
started.catch((error: unknown) => {
  report(error);
  tell({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
});

self.addEventListener("message", ({ data }: MessageEvent<{ readonly kind: "port"; readonly port: MessagePort }>) => {
  if (data.kind === "port") servePort(data.port, async (request) => (await started)(request));
});
