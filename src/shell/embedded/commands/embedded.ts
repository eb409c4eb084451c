import type { CustomCommand } from "just-bash/browser";
import { endedBy } from "../ended-by.ts";
import type { ShellHost } from "../host.ts";
import { lazyCommand } from "./command.ts";
import { sharedCommands } from "./index.ts";

/** All our commands for the browser's shell: those that every shell has, and programs that replace real ones. */
export function embeddedCommands(host: ShellHost): readonly CustomCommand[] {
  return [
    ...sharedCommands(host),
    lazyCommand("jq", async () => (await import("../jq/command.ts")).jq(host)),
    lazyCommand("nc", async () => (await import("./nc.ts")).nc(host)),
    lazyCommand("node", async () => endedBy(host, (await import("../node/command.ts")).node)),
    lazyCommand("npm", async () => endedBy(host, (await import("../npm/command.ts")).runNpm)),
    lazyCommand("npx", async () => endedBy(host, (await import("../npm/command.ts")).runNpx)),
    lazyCommand("pip", async () => endedBy(host, (await import("../pip/command.ts")).pip)),
    lazyCommand("pip3", async () => endedBy(host, (await import("../pip/command.ts")).pip)),
    lazyCommand("pytest", async () => endedBy(host, (await import("../python/pytest.ts")).pytest)),
    lazyCommand("python", async () => endedBy(host, (await import("../python/command.ts")).python)),
    lazyCommand("python3", async () => endedBy(host, (await import("../python/command.ts")).python)),
    lazyCommand("sqlite3", async () => endedBy(host, (await import("../sqlite/command.ts")).sqlite)),
  ];
}
