import type { Context } from "../commands/answer.ts";
import type { ShellHost } from "../host.ts";
import type { Environment } from "./environment.ts";
import type { PipCall } from "./options.ts";

/** A run of pip. */
export interface Pip {
  readonly call: PipCall;
  readonly host: ShellHost;
  readonly context: Context;
  readonly environment: Environment;
  readonly out: (line: string) => void;
  readonly warn: (line: string) => void;
}
