import type { Context } from "../commands/answer.ts";
import type { ShellHost } from "../host.ts";
import type { Environment } from "./environment.ts";
import type { PipCall } from "./options.ts";

/** One run of pip. */
export interface Pip {
  readonly call: PipCall;
  readonly host: ShellHost;
  readonly context: Context;
  readonly environment: Environment;
  readonly out: (line: string) => void;
  readonly warn: (line: string) => void;
}

/** A path as it was typed, from the root. */
export function absolute(path: string, { cwd }: Context): string {
  const whole = path.startsWith("/") ? path : `${cwd}/${path}`;
  const parts: string[] = [];
  for (const part of whole.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
