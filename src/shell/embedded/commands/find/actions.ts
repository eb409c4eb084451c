import { joinBytes } from "../../../../fs/bytes.ts";
import { toBytes } from "../../encoding.ts";
import type { Context } from "../answer.ts";
import { absolute, reasonOf } from "../files.ts";
import type { Entry } from "./entry.ts";

/** The output of `find` so far, and its exit code. */
export class Output {
  stderr = "";
  exitCode = 0;
  readonly #parts: Uint8Array[] = [];
  #text = "";

  add(text: string): void {
    this.#text += text;
  }

  addBytes(bytes: Uint8Array): void {
    this.#flush();
    this.#parts.push(bytes);
  }

  fail(message: string): void {
    this.stderr += `find: ${message}\n`;
    this.exitCode = 1;
  }

  stdout(): Uint8Array {
    this.#flush();
    return joinBytes(this.#parts);
  }

  #flush(): void {
    if (this.#text !== "") this.#parts.push(toBytes(this.#text, undefined));
    this.#text = "";
  }
}

/** Runs a command and adds its output. Returns its exit code. */
export async function runCommand(words: readonly string[], cwd: string, context: Context, output: Output): Promise<number> {
  if (!context.exec) throw new Error("no commands can be run from here");
  const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const done = await context.exec(line, { cwd, env: Object.fromEntries(context.env), stdin: "" });
  const isBytes = Reflect.get(done, "stdoutKind") === "bytes" || Reflect.get(done, "stdoutEncoding") === "binary";
  output.addBytes(toBytes(done.stdout, isBytes ? "latin1" : undefined));
  output.stderr +=
    done.exitCode === 127 ? done.stderr.replace(/^bash: (\S+): command not found/m, "find: ‘$1’: No such file or directory") : done.stderr;
  return done.exitCode;
}

/** `-delete` */
export async function remove(entry: Entry, context: Context, output: Output): Promise<boolean> {
  if (entry.path === "." || entry.path === "./") return true;
  try {
    const at = absolute(context, entry.path);
    if ((await entry.stat()).isDirectory && (await context.fs.readdir(at)).length > 0) throw new Error("ENOTEMPTY: directory not empty");
    await context.fs.rm(at, { recursive: (await entry.stat()).isDirectory });
    return true;
  } catch (error) {
    output.fail(`cannot delete ‘${entry.path}’: ${reasonOf(error)}`);
    return false;
  }
}
