import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { type EngineName, engineNames, findEngine } from "../../scripts/engines.mjs";
import { type ClaudeStandIn, startClaude } from "../../tests/stand-in/claude.ts";
import { type HostOptions, startHost, type StaticHost } from "../static-host.ts";
import { type Engine, startEngine, type Tab } from "./engine.ts";
import { ask, inPage, see } from "./hands.ts";

declare global {
  interface Window {
    /** Uncaught errors in the page. */
    faults?: string[];
  }
}

interface Fixtures {
  /** A host for this test alone, and so an origin without anything that other tests stored. */
  readonly host: StaticHost;
  readonly claude: ClaudeStandIn;
  /** Opens a new tab with the app, which contains the demo's docs. An uncaught error in it fails the test. */
  readonly open: (hash?: string, at?: StaticHost) => Promise<Tab>;
  /** Opens a new tab as on a first visit. */
  readonly openAsNewcomer: () => Promise<Tab>;
  readonly openTab: (address: string) => Promise<Tab>;
  readonly startAnother: (options?: Partial<HostOptions>) => Promise<StaticHost>;
}

const root = process.env["VIBEY_DIST"] ?? "dist";

/** The addresses of all hosts that this process has started. */
const known = new Set<string>();

const asEngine = (project: string): EngineName => {
  const name = engineNames.find((each) => each === project);
  if (name === undefined) throw new Error(`no engine is called ${project}`);
  return name;
};

export const test = base.extend<Fixtures & { readonly installed: void }, { readonly engine: Engine }>({
  engine: [
    // oxlint-disable-next-line no-empty-pattern -- the runner wants a pattern
    async ({}, use, { project }) => {
      const name = asEngine(project.name);
      const found = findEngine(name);
      if (found === null) throw new Error(`${name} is not installed`);
      const folder = mkdtempSync(join(tmpdir(), `vibey-${name}-`));
      const engine = await startEngine(name, found, folder);
      await use(engine);
      await engine.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
    { scope: "worker", timeout: 120_000 },
  ],
  installed: [
    // oxlint-disable-next-line no-empty-pattern -- the runner wants a pattern
    async ({}, use, info) => {
      const name = asEngine(info.project.name);
      const isMissing = findEngine(name) === null;
      if (isMissing && process.env["CI"]) throw new Error(`${name} is not installed; npm run engines installs it`);
      info.skip(isMissing, `${name} is not installed`);
      await use();
    },
    { auto: true },
  ],
  async host({ startAnother }, use) {
    await use(await startAnother());
  },
  // oxlint-disable-next-line no-empty-pattern -- the runner wants a pattern
  async startAnother({}, use) {
    const hosts: StaticHost[] = [];
    const start: Fixtures["startAnother"] = async (options) => {
      const host = await startHost({ root, ...options });
      hosts.push(host);
      // The system may reuse a port, and the browser still has what the earlier host stored at that address.
      if (known.has(host.url)) return start(options);
      known.add(host.url);
      return host;
    };
    await use(start);
    for (const each of hosts) await each.stop();
  },
  // oxlint-disable-next-line no-empty-pattern -- the runner wants a pattern
  async claude({}, use) {
    const claude = await startClaude();
    await use(claude);
    await claude.close();
  },
  async open({ openTab, host }, use) {
    await use(async (hash = "", at = host) => {
      const tab = await openTab(`${at.url}${hash}`);
      if (await begin(tab)) {
        await tab.goto(`${at.url}${hash === "" ? "#/docs/doc-main.md" : hash}`);
        await see(tab, hash === "" ? ["nav a", "main"] : ["[role=tablist]"], { timeout: 30_000 });
      }
      return tab;
    });
  },
  async openAsNewcomer({ openTab, host }, use) {
    await use(() => openTab(host.url));
  },
  async openTab({ engine }, use, info) {
    const tabs: Tab[] = [];
    await use(async (address) => {
      const tab = await engine.newTab();
      tabs.push(tab);
      await tab.goto(address);
      await see(tab, ["[role=tablist]"], { timeout: 30_000 });
      await watchFaults(tab);
      return tab;
    });
    const faults: string[] = [];
    for (const tab of tabs) {
      // The text on the screen explains more than the failed expectation.
      if (info.status !== info.expectedStatus)
        console.log(await inPage(tab, () => `${location.hash}\n${document.body.innerText}`).catch(String));
      faults.push(...(await inPage(tab, () => window.faults ?? []).catch(() => [])));
      // The test may have closed the tab.
      await tab.close().catch(() => undefined);
    }
    expect(faults).toEqual([]);
  },
});

/** Adds the demo's docs to an empty project, and marks the preview as opened before. Returns whether the project was empty. */
async function begin(tab: Tab): Promise<boolean> {
  if (await inPage(tab, () => localStorage.getItem("vibey begun") !== null)) return false;
  expect([200, 409]).toContain((await ask(tab, "POST", "demo")).status);
  await expect.poll(() => inPage(tab, () => localStorage.getItem("vibey begun") !== null)).toBe(true);
  await inPage(tab, () => localStorage.setItem("vibey previewed ", "yes"));
  return true;
}

/** Records uncaught errors until the page is left. */
export async function watchFaults(tab: Tab): Promise<void> {
  await inPage(tab, () => {
    const faults: string[] = [];
    window.faults = faults;
    window.addEventListener("error", ({ message }) => {
      // Browsers report this when a layout takes a second frame; it is not a failure.
      if (!message.startsWith("ResizeObserver loop")) faults.push(message);
    });
    window.addEventListener("unhandledrejection", ({ reason }) => void faults.push(String(reason)));
  });
}

export { expect };
