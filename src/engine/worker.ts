/** The engine's worker: puts the parts together for a browser. */
import { openIdbFiles } from "../fs/idb.ts";
import { startEngine } from "./engine.ts";
import { lead } from "./leader.ts";
import type { WorkerNews } from "./port/messages.ts";
import { servePort } from "./port/serve-port.ts";
import { claudeProvider, defaultBaseURL, defaultModel } from "./providers/claude/index.ts";
import { demoModel, demoProvider } from "./providers/demo/demo.ts";
import { systemDeps } from "./providers/deps.ts";
import type { ProviderKind } from "./providers/desk.ts";
import { aboutEmbedded } from "./sandbox/embedded/about.ts";
import { embeddedSandbox } from "./sandbox/embedded/embedded.ts";
import { createShellWorker } from "./sandbox/create-worker.ts";
import { idbSettings } from "./settings-idb.ts";
import { welcomeFiles } from "./welcome/welcome.ts";

/** Of the one project that this version has. */
const project = "vibey-project";

const providers: readonly ProviderKind[] = [
  { name: "claude", defaultModel, defaultBaseURL, make: (settings) => claudeProvider(settings, systemDeps) },
  { name: "demo", defaultModel: demoModel, defaultBaseURL: "", make: () => demoProvider({ timers: systemDeps.timers }) },
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
    sandbox: embeddedSandbox({
      files,
      createWorker: createShellWorker,
      timers: { now: () => performance.now(), after: systemDeps.timers.after },
    }),
    sandboxAbout: aboutEmbedded,
    now: () => new Date(),
    later: (then, ms) => void setTimeout(then, ms),
    welcome: welcomeFiles(),
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
