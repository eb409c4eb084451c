/** The parts of a command, read by the shell's own parser in a worker of the page, which has no files and runs nothing. */
import { createAsker } from "../../shell/embedded/parts/asker.ts";
import type { Part } from "../../shell/embedded/parts/part.ts";
import url from "../../shell/embedded/worker.ts?worker&url";
import { trustedWorkerUrl } from "../engine-client/trusted-worker-url.ts";

const asker = createAsker(
  () => new Worker(trustedWorkerUrl(url), { type: "module", name: "command-parts" }),
  (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
);

/** Null: the command can't be split. The panel then shows it whole and says so. */
export const commandParts = (command: string): Promise<readonly Part[] | null> => asker.ask("parts", command);
