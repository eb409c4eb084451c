import type { LogWriter } from "../../../src/engine/log/log.ts";

/** For stores whose events no one asks for. */
export const noLog: LogWriter = { entry: () => undefined, newsOf: async () => [], written: () => undefined, lacks: () => undefined };
