import { failed, type Run, stdinBytes } from "./answer.ts";
import { compress, decompress, isGzip } from "./deflate.ts";
import { absolute, statOf, walk, writeOutput } from "./files.ts";
import { type Options, parseOptions } from "./options.ts";
import { joinBytes } from "../../../fs/bytes.ts";

const long = {
  decompress: "d",
  uncompress: "d",
  stdout: "c",
  "to-stdout": "c",
  keep: "k",
  force: "f",
  test: "t",
  recursive: "r",
  quiet: "q",
  verbose: "v",
  "no-name": "n",
  name: "N",
  fast: "1",
  best: "9",
  list: "l",
};

/** gzip, gunzip and zcat. The platform chooses the compression level. */
export function gzip(name: "gzip" | "gunzip" | "zcat"): Run {
  return async (args, context) => {
    const parsed = parseOptions(args, "cdfhklnNqrtv123456789S:", long);
    if (typeof parsed === "string") return failed(name, parsed);
    const options: Options = parsed;
    const down = name !== "gzip" || options.has("d") || options.has("t") || options.has("l");
    const toStdout = name === "zcat" || options.has("c");
    const pieces: Uint8Array[] = [];
    let text = "";
    let stderr = "";
    let exitCode = 0;
    const say = (line: string, code: number): void => {
      stderr += `gzip: ${line}\n`;
      exitCode = exitCode === 1 ? 1 : code;
    };

    async function unpack(bytes: Uint8Array, file: string): Promise<Uint8Array | null> {
      if (!isGzip(bytes)) {
        say(`${file}: not in gzip format`, 1);
        return null;
      }
      try {
        return await decompress(bytes, "gzip");
      } catch {
        // The stream reports that it is damaged, but not how.
        say(`${file}: unexpected end of file`, 1);
        return null;
      }
    }

    async function one(file: string): Promise<void> {
      if (file === "-") {
        const bytes = stdinBytes(context);
        const done = down ? await unpack(bytes, "stdin") : await compress(bytes, "gzip");
        if (done !== null && !options.has("t")) pieces.push(done);
        return;
      }
      const source = down && (await statOf(context, file)) === null && (await statOf(context, `${file}.gz`)) !== null ? `${file}.gz` : file;
      const stat = await statOf(context, source);
      if (stat === null) return say(`${down && !/\.t?gz$/.test(file) ? `${file}.gz` : file}: No such file or directory`, 1);
      if (stat.isDirectory) return options.has("r") ? folder(source) : say(`${source} is a directory -- ignored`, 2);
      const target = down ? targetOf(source) : `${source}.gz`;
      if (!toStdout && !options.has("t") && !options.has("l")) {
        if (target === null) return say(`${source}: unknown suffix -- ignored`, 2);
        if (!down && source.endsWith(".gz") && !options.has("f")) return say(`${source} already has .gz suffix -- unchanged`, 2);
        if ((await statOf(context, target)) !== null && !options.has("f")) return say(`${target} already exists;\tnot overwritten`, 2);
      }
      const bytes = await context.fs.readFileBuffer(absolute(context, source));
      const done = down ? await unpack(bytes, source) : await compress(bytes, "gzip");
      if (done === null || options.has("t")) return undefined;
      if (options.has("l")) {
        const ratio = done.length === 0 ? 0 : 100 - (100 * (bytes.length - 18)) / done.length;
        text += `${"compressed".padStart(19)} ${"uncompressed".padStart(19)}  ratio uncompressed_name\n${String(bytes.length).padStart(19)} ${String(done.length).padStart(19)} ${ratio.toFixed(1).padStart(5)}% ${target ?? source}\n`;
        return undefined;
      }
      if (toStdout) return void pieces.push(done);
      const why = await writeOutput(context, target ?? source, done);
      if (why !== null) return say(`${target}: ${why}`, 1);
      if (!options.has("k")) await context.fs.rm(absolute(context, source));
      if (options.has("v"))
        stderr += `${source}:\t${(done.length === 0 ? 0 : 100 - (100 * Math.min(done.length, bytes.length)) / Math.max(done.length, bytes.length)).toFixed(1).padStart(5)}% -- replaced with ${target}\n`;
      return undefined;
    }

    async function folder(path: string): Promise<void> {
      const files: string[] = [];
      for await (const { path: at, stat } of walk(context, path)) if (stat.isFile) files.push(at);
      for (const file of files) await one(file);
    }

    for (const file of options.operands.length === 0 ? ["-"] : options.operands) await one(file);
    return { stdout: text === "" ? joinBytes(pieces) : text, stderr, exitCode };
  };
}

function targetOf(file: string): string | null {
  if (/\.(tgz|taz)$/.test(file)) return file.replace(/\.(tgz|taz)$/, ".tar");
  return file.endsWith(".gz") && !file.endsWith("/.gz") ? file.slice(0, -3) : null;
}
