import { fromBytes, toBytes } from "../encoding.ts";
import { type Context, failed, original, passed, stdinLatin1 } from "./answer.ts";
import { command } from "./command.ts";
import { readInput, writeOutput } from "./files.ts";

/** just-bash's xargs takes `-I {}` and `-n 1`, not `-I{}` and `-n1`. */
const xargs = command("xargs", async (args, context) => {
  const spaced: string[] = [];
  let options = true;
  for (const [i, arg] of args.entries()) {
    const attached = options ? /^-([InPLda])(.+)$/s.exec(arg) : null;
    const long = options ? /^--(max-args|max-procs|replace|max-lines|delimiter)=(.+)$/s.exec(arg) : null;
    if (attached) spaced.push(`-${attached[1]}`, attached[2] ?? "");
    else if (long)
      spaced.push(
        { "max-args": "-n", "max-procs": "-P", replace: "-I", "max-lines": "-L", delimiter: "-d" }[long[1] ?? ""] ?? "",
        long[2] ?? "",
      );
    else if (options && arg === "-i") spaced.push("-I", "{}");
    else if (options && arg === "--null") spaced.push("-0");
    else spaced.push(arg);
    // The command starts at the first word that is neither an option nor an option's value.
    if (!arg.startsWith("-") && !/^-[InPLda]$/.test(args[i - 1] ?? "")) options = false;
  }
  return passed(await original(context, spaced));
});

/** Stands for the byte `n` while just-bash, which knows characters only, formats: U+F700 + n, for private use. */
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

const printf = command("printf", async (args, context) => {
  const format = args[0] === "--" ? 1 : 0;
  if (args[0] === "-v" || !/\\(x[89a-fA-F]|[0-3]?[2-7]\d\d)/.test(args[format] ?? "")) return passed(await original(context, args));
  return passed(
    await inBytes(
      context,
      args.map((arg, i) => (i === format ? withStands(arg) : arg)),
    ),
  );
});

const echo = command("echo", async (args, context) => {
  if (!/^-[neE]*e[neE]*$/.test(args[0] ?? "") || !args.some((arg) => /\\(x[89a-fA-F]|0[2-3]\d\d)/.test(arg)))
    return passed(await original(context, args));
  return passed(await inBytes(context, args.map(withStands)));
});

/** Runs its operands as a command, as they are. */
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

/** `2i\\text` on one line, as GNU sed takes it, and `-i.bak`. */
const sed = command("sed", async (args, context) => {
  const plain: string[] = [];
  const operands: string[] = [];
  let suffix: string | null = null;
  let scripted = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    const kept = /^(?:-([nErsuz]*)i|--in-place=)(.+)$/s.exec(arg);
    if (kept && !/^[nErsuz]+$/.test(kept[2] ?? "")) {
      suffix = kept[2] ?? "";
      plain.push(`-${kept[1] ?? ""}i`);
    } else if (/^-[nErsuz]*[ef]$/.test(arg) || arg === "--expression" || arg === "--file") {
      scripted = true;
      const value = args[++i] ?? "";
      plain.push(arg, arg.endsWith("f") || arg === "--file" ? value : oneLine(value));
    } else if (/^(-e.|--expression=|-f.|--file=)/s.test(arg)) {
      scripted = true;
      plain.push(arg);
    } else if (arg.startsWith("-") && arg !== "-") plain.push(arg);
    else if (!scripted) {
      scripted = true;
      plain.push(oneLine(arg));
    } else {
      operands.push(arg);
      plain.push(arg);
    }
  }
  if (suffix !== null) {
    for (const file of operands) {
      const read = await readInput(context, file);
      const backup = suffix.includes("*") ? suffix.replaceAll("*", file) : file + suffix;
      const why = read.ok ? await writeOutput(context, backup, read.bytes) : null;
      if (why !== null) return failed("sed", `cannot rename ${file}: ${why}`, 4);
    }
  }
  return passed(await original(context, plain));
});

function oneLine(script: string): string {
  return script.replaceAll(/^((?:\d+|\$|\/(?:[^/\\\n]|\\.)*\/)?\s*[aic])\\(?=[^\n])/gm, "$1 ");
}

/** just-bash's grep knows no `\\+` and `\\?` in basic expressions, and finds nothing; counts between braces it knows. */
const grep = command("grep", async (args, context) => {
  if (args.some((arg) => /^-[A-Za-z]*[EFP]|^--(?:extended-regexp|fixed-strings|perl-regexp)$/.test(arg)))
    return passed(await original(context, args));
  const counted = (pattern: string): string =>
    pattern.replaceAll(/\\([^])/g, (all, letter: string) => (letter === "+" ? "\\{1,\\}" : letter === "?" ? "\\{0,1\\}" : all));
  const plain: string[] = [];
  let isGiven = args.some((arg) => /^-[A-Za-z]*[ef]|^--(?:regexp|file)/.test(arg));
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    const [, option, pattern] = /^(-[A-Za-z]*e|--regexp=)([^]*)$/.exec(arg) ?? [];
    if (option === "--regexp=" || arg === "--regexp") plain.push("-e", counted(option === undefined ? (args[++i] ?? "") : (pattern ?? "")));
    else if (option !== undefined) plain.push(option + counted(pattern ?? ""), ...(pattern === "" ? [counted(args[++i] ?? "")] : []));
    else if (
      /^-[A-Za-z]*[ABCmf]$/.test(arg) ||
      /^--(?:after-context|before-context|context|max-count|include|exclude|exclude-dir|file)$/.test(arg)
    )
      plain.push(arg, args[++i] ?? "");
    else if (arg === "--" && !isGiven) {
      isGiven = true;
      plain.push(arg, counted(args[++i] ?? ""));
    } else if (!isGiven && !(arg.startsWith("-") && arg !== "-")) {
      isGiven = true;
      plain.push(counted(arg));
    } else plain.push(arg);
  }
  return passed(await original(context, plain));
});

/** Counts as wide as GNU's. */
const uniq = command("uniq", async (args, context) => {
  const done = passed(await original(context, args));
  if (!args.some((arg) => /^-[a-z]*c|^--count$/.test(arg))) return done;
  const text = typeof done.stdout === "string" ? done.stdout : fromBytes(done.stdout ?? new Uint8Array(), undefined);
  return { ...done, stdout: text.replaceAll(/^ *(\d+) /gm, (_, count: string) => `${count.padStart(7)} `) };
});

/** just-bash's writes a file of that name. */
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

export const wrapped = [
  grep,
  sed,
  uniq,
  tee,
  xargs,
  printf,
  echo,
  running("nohup", ""),
  running("nice", "n:"),
  running("ionice", "c:n:"),
  running("setsid", "w"),
  running("stdbuf", "i:o:e:"),
  running("unbuffer", "p"),
];
