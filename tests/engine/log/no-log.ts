import type { LogWriter } from "../../../src/engine/log/log.ts";

/** For stores whose events aren't needed. */
export const noLog: LogWriter = { entry: () => undefined, newsOf: async () => [], written: () => undefined, lacks: () => undefined };
