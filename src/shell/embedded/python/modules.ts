import { type Answer, type Context, failed } from "../commands/answer.ts";
import { absolute } from "../commands/files.ts";
import type { ShellHost } from "../host.ts";
import { environmentIn } from "../pip/environment.ts";
import { projectFolder } from "../protocol.ts";

/** Runs modules of `python3 -m` that are not Python here; null: the module is Python. `args`: the words after the module's name. */
export async function ownModule(host: ShellHost, name: string, args: readonly string[], context: Context): Promise<Answer | null> {
  if (name === "pip") {
    const { pip } = await import("../pip/command.ts");
    return pip(host)(args, context);
  }
  return name === "venv" ? makeEnvironment(host, args, context) : null;
}

/** `python3 -m venv`: creates a folder for pip's packages. Its options don't apply here, so they are ignored. */
function makeEnvironment(host: ShellHost, args: readonly string[], context: Context): Answer {
  const folders = args.filter((arg, index) => !arg.startsWith("-") && args[index - 1] !== "--prompt");
  if (folders.length === 0) return failed("venv", "error: the following arguments are required: ENV_DIR", 2);
  for (const folder of folders) {
    const path = absolute(context, folder);
    if (!path.startsWith(`${projectFolder}/`) && !path.startsWith("/tmp/"))
      return failed("venv", `${path}: an environment can be made in ${projectFolder} and in /tmp only`);
    environmentIn(host.files, path).create();
  }
  return {};
}
