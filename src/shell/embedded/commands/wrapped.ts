import { fromBytes, toBytes } from "../encoding.ts";
import { type Context, failed, original, passed, stdinLatin1 } from "./answer.ts";
import { command } from "./command.ts";
import { statOf } from "./files.ts";
import { parseOptions } from "./options.ts";
import { withExactIntegers } from "./printf-integers.ts";
import { withQuotes } from "./printf-quotes.ts";
import { withTimes } from "./printf-times.ts";

/** U+F700 + n (private use) stands for the byte `n` while just-bash formats, because it only knows characters. */
const stand = 0xf700;

/** `\xff` and `\377` are bytes, not characters. */
function withStands(format: string): string {
  return format.replaceAll(/\\(?:\\|x([0-9a-fA-F]{1,2})|0?([0-7]{3}))/g, (whole: string, hex?: string, octal?: string) => {
    const value = hex === undefined ? (octal === undefined ? 0 : Number.parseInt(octal, 8) & 0xff) : Number.parseInt(hex, 16);
    return value < 0x80 ? whole : String.fromCharCode(stand + value);
  });
}

async function inBytes(context: Context, args: readonly string[]): ReturnType<typeof original> {
  const done = await original(context, args);
  if (!/[\uf780-\uf7ff]/.test(done.stdout)) return done;
  const pieces = done.stdout
    .split(/([\uf780-\uf7ff])/)
    .map((piece, i) => (i % 2 === 1 ? String.fromCharCode(piece.charCodeAt(0) - stand) : fromBytes(toBytes(piece, undefined), "latin1")));
  return { ...done, stdout: pieces.join(""), stdoutKind: "bytes", stdoutEncoding: "binary" };
}

/** Sizes of C's types, as in `%ld`. They mean nothing to a shell, and just-bash does not know them. */
const sizes = /%%|(%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d*))?)(?:hh|h|ll|l|j|z|t|L)([a-zA-Z])/g;

const printf = command("printf", async (all, context) => {
  const format = all[0] === "--" ? 1 : all[0] === "-v" ? 2 : 0;
  const given = all.map((arg, i) =>
    i === format && arg.includes("%") ? arg.replaceAll(sizes, (each, start = each, kind = "") => `${start}${kind}`) : arg,
  );
  const { args: timed, wrong } = withTimes(given, format, context);
  const args = withExactIntegers(withQuotes(timed, format), format);
  const bytes = given[0] !== "-v" && /\\(x[89a-fA-F]|[0-3]?[2-7]\d\d)/.test(args[format] ?? "");
  const done = await (bytes
    ? inBytes(
        context,
        args.map((arg, i) => (i === format ? withStands(arg) : arg)),
      )
    : original(context, args));
  return passed(wrong === "" ? done : { ...done, stderr: done.stderr + wrong, exitCode: 1 });
});

const echo = command("echo", async (args, context) => {
  if (!/^-[neE]*e[neE]*$/.test(args[0] ?? "") || !args.some((arg) => /\\(x[89a-fA-F]|0[2-3]\d\d)/.test(arg)))
    return passed(await original(context, args));
  return passed(await inBytes(context, args.map(withStands)));
});

/** Runs its operands as a command, unchanged. */
function running(name: string, letters: string): ReturnType<typeof command> {
  return command(name, async (args, context) => {
    const first = letters === "" ? 0 : Math.max(0, skipOptions(args, letters));
    const words = args.slice(first);
    if (words.length === 0) return failed(name, "missing operand", 125);
    if (!context.exec) throw new Error("no commands can be run from here");
    const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    return passed(
      await context.exec(quoted, {
        cwd: context.cwd,
        env: Object.fromEntries(context.env),
        stdin: stdinLatin1(context),
        stdinKind: "bytes",
      }),
    );
  });
}

function skipOptions(args: readonly string[], letters: string): number {
  let at = 0;
  while (args[at]?.startsWith("-")) at += letters.includes(`${args[at]?.charAt(1)}:`) && args[at]?.length === 2 ? 2 : 1;
  return at;
}

/** Options may follow the files, and without a file it reads standard input. */
const paste = command("paste", async (args, context) => {
  const options: string[] = [];
  const files: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      files.push(...args.slice(at + 1));
      break;
    }
    const [, flags, delimiters] = /^-(s?)d([^]*)$/.exec(arg) ?? /^--(delimiters)(?:=([^]*))?$/.exec(arg) ?? [];
    if (flags !== undefined) {
      if (flags === "s") options.push("-s");
      options.push("-d", escaped(delimiters === undefined || delimiters === "" ? (args[++at] ?? "") : delimiters));
    } else if (arg.startsWith("-") && arg !== "-") options.push(arg);
    else files.push(arg);
  }
  return passed(await original(context, [...options, ...(files.length === 0 ? ["-"] : files)]));
});

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
]);
/** Replaces escapes such as `\n` in a list of delimiters; just-bash would take them for two delimiters. `\0` alone means no delimiter. */
const escaped = (delimiters: string): string =>
  (delimiters === "\\0" ? "" : delimiters).replaceAll(/\\([^])/g, (_, letter: string) => escapes.get(letter) ?? letter);

/** just-bash's mkdir has no `-m`. */
const mkdir = command("mkdir", async (args, context) => {
  const options = parseOptions(args, "pvm:", { parents: "p", verbose: "v", mode: "m" });
  if (typeof options === "string" || !options.has("m")) return passed(await original(context, args));
  if (!context.exec) throw new Error("no commands can be run from here");
  const made: string[] = [];
  for (const name of options.operands) if ((await statOf(context, name)) === null) made.push(name);
  const done = passed(
    await original(context, [...["p", "v"].filter((letter) => options.has(letter)).map((letter) => `-${letter}`), ...options.operands]),
  );
  if (done.exitCode !== 0 || made.length === 0) return done;
  const words = [options.value("m") ?? "", ...made].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const { stderr, exitCode } = await context.exec(`chmod ${words}`, { cwd: context.cwd });
  return { ...done, stderr: (done.stderr ?? "") + stderr, exitCode };
});

/** just-bash's tee would write a file of that name. */
const tee = command("tee", async (args, context) => {
  const done = await original(
    context,
    args.filter((arg) => arg !== "/dev/stdout" && arg !== "/dev/stderr"),
  );
  const again = (path: string): string => stdinLatin1(context).repeat(args.filter((arg) => arg === path).length);
  const [more, said] = [again("/dev/stdout"), again("/dev/stderr")];
  const { stdout = "" } = passed(done);
  return {
    ...passed(done),
    stdout: more === "" ? stdout : toBytes(fromBytes(toBytes(stdout, undefined), "latin1") + more, "latin1"),
    stderr: done.stderr + fromBytes(toBytes(said, "latin1"), undefined),
  };
});

/** just-bash's `env` and `printenv` also show variables that are not exported. */
const env = command("env", async (args, context) => {
  let variables = new Map(Object.entries(context.exportedEnv ?? {}));
  let end = "\n";
  let at = 0;
  for (let arg = args[at]; arg?.startsWith("-") === true; arg = args[++at]) {
    if (arg === "-i" || arg === "-" || arg === "--ignore-environment") variables = new Map();
    else if (arg === "-0" || arg === "--null") end = "\0";
    else if (arg === "-u" || arg === "--unset") variables.delete(args[++at] ?? "");
    else if (/^-u./.test(arg)) variables.delete(arg.slice(2));
    else if (arg.startsWith("--unset=")) variables.delete(arg.slice("--unset=".length));
    else return passed(await original(context, args));
  }
  const given = args.slice(at);
  // The rest is a command.
  if (!given.every((arg) => arg.includes("="))) return passed(await original(context, args));
  for (const arg of given) variables.set(arg.slice(0, arg.indexOf("=")), arg.slice(arg.indexOf("=") + 1));
  return { stdout: [...variables].map(([name, value]) => `${name}=${value}${end}`).join("") };
});

const printenv = command("printenv", (args, context) => {
  const end = args[0] === "-0" || args[0] === "--null" ? "\0" : "\n";
  const names = args.slice(end === "\0" ? 1 : 0);
  const variables = new Map(Object.entries(context.exportedEnv ?? {}));
  if (names.length === 0) return { stdout: [...variables].map(([name, value]) => `${name}=${value}${end}`).join("") };
  const found = names.flatMap((name) => variables.get(name) ?? []);
  return { stdout: found.map((value) => `${value}${end}`).join(""), exitCode: found.length === names.length ? 0 : 1 };
});

export const wrapped = [
  env,
  printenv,
  paste,
  tee,
  mkdir,
  printf,
  echo,
  running("nohup", ""),
  running("nice", "n:"),
  running("ionice", "c:n:"),
  running("setsid", "w"),
  running("stdbuf", "i:o:e:"),
  running("unbuffer", "p"),
];
