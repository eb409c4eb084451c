import { type Context, type Run, failed, stdinBytes } from "../commands/answer.ts";
import { absolute, statOf, walk } from "../commands/files.ts";
import { notFetched } from "../commands/not-fetched.ts";
import { fromBytes } from "../encoding.ts";
import type { ShellHost } from "../host.ts";
import { runProgram } from "./system.ts";

/** Maximum bytes of memory of one jq. */
const memoryLimit = 256 * 1024 * 1024;

/** Compiled once per worker; each call gets a new instance. */
let module: Promise<WebAssembly.Module> | null = null;

/** `jq`: the original jq as WebAssembly. It can't wait for files, so everything that it may read is loaded before it starts. */
export const jq =
  (host: ShellHost): Run =>
  async (args, context) => {
    let program: WebAssembly.Module;
    try {
      module ??= host.asset("jq.wasm").then((bytes) => WebAssembly.compile(new Uint8Array(bytes)));
      program = await module;
    } catch (error) {
      module = null;
      return failed("jq", `jq could not be started: ${notFetched(error)}`, 127);
    }
    const exported = context.exportedEnv ?? Object.fromEntries(context.env);
    try {
      const { stdout, stderr, exitCode } = runProgram(
        program,
        ["jq", ...args],
        {
          cwd: context.cwd,
          env: Object.entries(exported).map(([name, value]) => `${name}=${value}`),
          stdin: stdinBytes(context),
          files: await filesFor(args, context),
          resolve: (path) => absolute(context, path),
          now: () => Date.now(),
        },
        memoryLimit,
      );
      return { stdout, stderr: fromBytes(stderr, undefined), exitCode };
    } catch (error) {
      // For example, a stack too deep for the browser.
      return failed("jq", `error: ${error instanceof Error ? error.message : String(error)}`, 5);
    }
  };

/** Every argument that names a file, and for a program with modules also the files in its search folders. */
async function filesFor(args: readonly string[], context: Context): Promise<ReadonlyMap<string, Uint8Array | "folder">> {
  const files = new Map<string, Uint8Array | "folder">();
  const folders = new Set<string>();
  const texts = [...args];
  const add = async (path: string): Promise<void> => {
    const stat = await statOf(context, path);
    if (stat === null) return;
    const at = absolute(context, path);
    files.set(at, stat.isDirectory ? "folder" : await context.fs.readFileBuffer(at));
  };
  for (const [i, arg] of args.entries()) {
    const [, attached] = /^(?:-L|--library-path=)(.+)$/.exec(arg) ?? [];
    const before = args[i - 1] ?? "";
    if (attached !== undefined) folders.add(attached);
    else if (before === "-L" || before === "--library-path") folders.add(arg);
    else await add(arg);
    const file = files.get(absolute(context, arg));
    if (/^-[a-zA-Z]*f$|^--from-file$/.test(before) && file instanceof Uint8Array) texts.push(fromBytes(file, undefined));
  }
  await add("~/.jq".replace("~", context.env.get("HOME") ?? "/"));
  if (!texts.some((each) => /\b(?:import|include)\b/.test(each))) return files;
  for (const folder of [".", ...folders]) {
    if ((await statOf(context, folder))?.isDirectory !== true) continue;
    for await (const { path, stat } of walk(context, folder, (each) => each.includes("/node_modules")))
      if (stat.isDirectory || /\.(?:jq|json)$/.test(path)) await add(path);
  }
  return files;
}
