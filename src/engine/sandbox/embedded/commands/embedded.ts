import type { CustomCommand } from "just-bash/browser";
import type { ShellHost } from "../host.ts";
import { lazyCommand } from "./command.ts";
import { sharedCommands } from "./index.ts";

/** All commands of the shell in the browser: those that every shell has, and the programs that stand in for real ones. */
export function embeddedCommands(host: ShellHost): readonly CustomCommand[] {
  return [
    ...sharedCommands(host),
    lazyCommand("node", async () => (await import("../node/command.ts")).node(host)),
    lazyCommand("npm", async () => (await import("../npm/command.ts")).runNpm(host)),
    lazyCommand("npx", async () => (await import("../npm/command.ts")).runNpx(host)),
    lazyCommand("python", async () => (await import("../python/command.ts")).python(host)),
    lazyCommand("python3", async () => (await import("../python/command.ts")).python(host)),
    lazyCommand("sqlite3", async () => (await import("../sqlite/command.ts")).sqlite(host)),
  ];
}
