import { type Context, type Run, stdinText } from "../commands/answer.ts";
import type { CommonHost } from "../host.ts";
import { git } from "./git.ts";
import type { GitShell } from "./repository.ts";

/** Runs git as a shell command. */
export function runGit(host: Pick<CommonHost, "fetch" | "show" | "project">): Run {
  return (args, context: Context) =>
    git(args, {
      fs: context.fs,
      cwd: context.cwd,
      env: (name) => context.env.get(name),
      stdin: () => stdinText(context),
      ...(context.exec && { execute: executing(context.exec, context) }),
      now: () => Date.now(),
      project: host.project,
      host,
    });
}

function executing(exec: NonNullable<Context["exec"]>, context: Context): NonNullable<GitShell["execute"]> {
  return (words) => {
    const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    return exec(quoted, { cwd: context.cwd, env: Object.fromEntries(context.env) });
  };
}
