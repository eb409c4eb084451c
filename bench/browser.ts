import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, type CDPSession, chromium, type Page } from "playwright";
import { slowLink } from "../e2e/slow.ts";
import { chromiumArguments, ensureChromium } from "../scripts/browser.mjs";
import { serve } from "../scripts/serve.mjs";

export interface Bench {
  readonly context: BrowserContext;
  /** The address of the production build, served with its headers. */
  readonly url: string;
  /** Seconds of processor time that the pages' processes have used, workers included. */
  cpu(): Promise<number>;
  /** Process ids of the pages' processes. */
  renderers(): Promise<readonly number[]>;
  readonly session: CDPSession;
  /** Bytes that the server has sent, headers included. */
  sent(): number;
  /** Stops the server for good. */
  stopServer(): void;
  close(): Promise<void>;
}

export interface BenchOptions {
  /** The folder of the built site. The app if not given. */
  readonly root?: string;
  /** Allows service workers, so the app can store itself and open without a network. */
  readonly serviceWorker?: boolean;
  /** Serves the site as a distant host would: with latency, and compressed with gzip. */
  readonly far?: boolean;
}

/** Opens a Chromium that serves a built site at an address of its own. The profile is on disk: in memory, IndexedDB has another implementation. */
export async function openBrowser({
  root = process.env["VIBEY_DIST"] ?? "dist",
  serviceWorker = false,
  far = false,
}: BenchOptions = {}): Promise<Bench> {
  const profile = mkdtempSync(join(tmpdir(), "vibey-bench-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: ensureChromium(),
    args: [...chromiumArguments, "--ignore-certificate-errors"],
    viewport: { width: 1280, height: 800 },
    serviceWorkers: serviceWorker ? "allow" : "block",
  });
  const server = await serve({ root, port: 0, compress: far });
  let closed = 0;
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => {
      closed += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const link = far ? await slowLink(address.port) : null;
  const browser = context.browser();
  const page = context.pages()[0] ?? (await context.newPage());
  const session = browser ? await browser.newBrowserCDPSession() : await context.newCDPSession(page);
  return {
    context,
    url: `http://localhost:${link?.port ?? address.port}/`,
    async cpu() {
      const { processInfo } = await session.send("SystemInfo.getProcessInfo");
      return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
    },
    async renderers() {
      const { processInfo } = await session.send("SystemInfo.getProcessInfo");
      return processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
    },
    session,
    sent: () => Array.from(sockets).reduce((sum, { bytesWritten }) => sum + bytesWritten, closed),
    stopServer() {
      server.close();
      server.closeAllConnections();
    },
    async close() {
      await context.close();
      link?.close();
      server.closeAllConnections();
      server.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Seconds of processor time of the page's main thread. */
export async function mainThread(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const duration = metrics.find(({ name }) => name === "TaskDuration");
    if (!duration) throw new Error("the browser reports no TaskDuration");
    return duration.value;
  };
}

interface TraceEvent {
  readonly pid: number;
  readonly tid: number;
  readonly name: string;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/**
 * Traces the main threads of all pages from now on. The returned function stops the trace and returns the processor time of each task in
 * milliseconds, which a busy machine changes less.
 */
export async function tasksOfMainThread({ session }: Bench): Promise<() => Promise<readonly number[]>> {
  const events: TraceEvent[] = [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Chromium's trace event format.
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["toplevel"] } });
  return async () => {
    const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
    await session.send("Tracing.end");
    await complete;
    const key = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`;
    const main = new Set(events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(key));
    const tasks = events.filter((event) => event.name === "ThreadControllerImpl::RunTask" && main.has(key(event)));
    if (tasks.length === 0) throw new Error("the browser traced no tasks of a main thread");
    return tasks.map(({ tdur = 0 }) => tdur / 1_000);
  };
}
