import { type Context, type Run, stdinText } from "../commands/answer.ts";
import type { CommonHost } from "../host.ts";
import { git } from "./git.ts";

/** git as a command of the shell. */
export function runGit(host: Pick<CommonHost, "fetch" | "show" | "project">): Run {
  return (args, context: Context) =>
    git(args, {
      fs: context.fs,
      cwd: context.cwd,
      env: (name) => context.env.get(name),
      stdin: () => stdinText(context),
      now: () => Date.now(),
      project: host.project,
      host,
    });
}
