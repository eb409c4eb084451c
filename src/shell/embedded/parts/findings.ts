/**
 * Finds what a person should know about a command. It names what a careful reader would look for. It is not a security boundary: that is the sandbox.
 */
import { projectFolder } from "../protocol.ts";
import type { Finding } from "./part.ts";
import type { Value } from "./tokens.ts";

export interface Given {
  readonly name: Value;
  readonly args: readonly Value[];
  /** It reads the output of the command before it, or the text after `<<`. */
  readonly isPiped: boolean;
}

const shells: ReadonlySet<string> = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash"]);
const deleting: ReadonlySet<string> = new Set(["rm", "rmdir", "unlink", "shred", "truncate", "srm"]);
/** Options that are followed by program text. */
const runsItsOption: ReadonlyMap<string, RegExp> = new Map([
  ...Array.from(shells, (name): [string, RegExp] => [name, /^-[a-z]*c[a-z]*$/]),
  ["node", /^(?:-[ep]{1,2}|--eval|--print)(?:=|$)/],
  ["deno", /^eval$/],
  ["bun", /^-e$/],
  ["python", /^-[A-Za-z]*c/],
  ["python3", /^-[A-Za-z]*c/],
  ["perl", /^-[a-zA-Z0-9]*[eE]/],
  ["ruby", /^-[a-z]*e/],
  ["php", /^-r/],
]);
const registries: ReadonlyMap<string, RegExp> = new Map([
  ["npm", /^(?:i|in|install|ci|add|update|up|exec|x|publish|view|audit|create|init)$/],
  ["pnpm", /^(?:i|install|add|update|up|dlx|publish|create)$/],
  ["yarn", /^(?:install|add|up|upgrade|dlx|create|publish)$/],
  ["pip", /^(?:install|download)$/],
  ["pip3", /^(?:install|download)$/],
]);
/** Programs whose first operand is a program or a pattern, so that a slash in it does not start a path. */
const patternFirst: ReadonlySet<string> = new Set([
  "awk",
  "gawk",
  "sed",
  "grep",
  "egrep",
  "fgrep",
  "rg",
  "echo",
  "printf",
  "jq",
  "tr",
  "cut",
]);
/** Devices that store nothing and reveal nothing. */
const harmless = /^\/dev\/(?:null|zero|stdin|stdout|stderr|tty|fd\/\d+|random|urandom)$/;

export function findingsOf({ name, args, isPiped }: Given): Finding[] {
  const found: Finding[] = [];
  const program = name.text.split("/").at(-1) ?? "";
  const texts = args.map(({ text }) => text);
  const operands = operandsOf(program, texts);
  if (!name.isExact) found.push({ kind: "computed" });
  if (isDeleting(program, texts, operands)) found.push({ kind: "deletes" });
  if (
    (program === "sed" && texts.some((text) => /^-[a-zA-Z]*i|^--in-place/.test(text))) ||
    (program === "perl" && texts.some((text) => /^-[a-zA-Z0-9]*i/.test(text)))
  )
    found.push({ kind: "edits" });
  const written = overwritten(program, texts, operands);
  for (const path of written) found.push({ kind: "overwrites", path });
  const first = args.find(({ text }) => text === operands[0]) ?? null;
  if (isRunningText(program, texts, operands, isPiped, first !== null && mayBeInput(first))) found.push({ kind: "runs-text" });
  found.push(...reached(program, texts, operands));
  const paths = patternFirst.has(program) ? operandsAfterFirst(texts, program) : texts;
  for (const path of [name.text, ...paths, ...(patternFirst.has(program) ? written : [])].flatMap(pathsIn))
    if (isOutside(path)) found.push({ kind: "outside", path });
  return different(found);
}

/** Options of git that precede its verb and take a value. */
const beforeVerb = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env)$/;
/** Options with a value, of programs that reach hosts or run what they read. */
const takesWord: ReadonlyMap<string, RegExp> = new Map([
  ...Array.from(shells, (name): [string, RegExp] => [name, /^(?:[-+][a-zA-Z]*[oO]|--(?:rcfile|init-file))$/]),
  [
    "node",
    /^(?:-[rC]|--(?:require|import|conditions|env-file|input-type|test-name-pattern|test-reporter|unhandled-rejections|stack-trace-limit|disable-warning|dns-result-order|icu-data-dir|inspect-port|max-http-header-size|network-family-autoselection-attempt-timeout|title))$/,
  ],
  ["python", /^-[A-Za-z]*[WX]$/],
  ["python3", /^-[A-Za-z]*[WX]$/],
  [
    "curl",
    /^(?:-[a-zA-Z]*[AbcCdDeEFHKmoPQrTtuUwXYyz]|--(?:header|data(?:-raw|-binary|-urlencode|-ascii)?|json|output|output-dir|request|user|user-agent|referer|cookie|cookie-jar|form|form-string|max-time|connect-timeout|upload-file|write-out|range|retry|retry-delay|max-redirs|config|cacert|cert|key))$/,
  ],
  [
    "wget",
    /^(?:-[a-zA-Z]*[OoPUeitTwQ]|--(?:output-document|output-file|directory-prefix|user-agent|header|post-data|post-file|body-data|body-file|method|timeout|tries|user|password|referer))$/,
  ],
]);

/** The words that are neither options nor, for known options, their values. */
function operandsOf(program: string, texts: readonly string[]): string[] {
  const option = program === "git" ? beforeVerb : takesWord.get(program);
  return texts.filter((text, index) => !text.startsWith("-") && option?.test(texts[index - 1] ?? "") !== true);
}

export const different = (found: readonly Finding[]): Finding[] => [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];

function isDeleting(program: string, texts: readonly string[], operands: readonly string[]): boolean {
  if (deleting.has(program)) return true;
  if (program === "find") return texts.includes("-delete");
  if (program === "rsync") return texts.some((text) => text.startsWith("--delete") || text === "--remove-source-files");
  if (program === "sqlite3") return texts.some((text) => /\b(?:drop|delete|truncate)\b/i.test(text));
  if (program !== "git") return false;
  const [verb = "", next = ""] = operands;
  const has = (option: RegExp) => texts.some((text) => option.test(text));
  switch (verb) {
    case "clean":
      return !has(/^-[a-z]*n|^--dry-run$/);
    case "rm":
    case "restore":
      return true;
    case "reset":
      return has(/^--(?:hard|merge|keep)$/);
    case "checkout":
      // A second operand is a file, and so is a name with an extension.
      if (texts.includes("--") || operands.includes(".") || has(/^(?:-f|--force)$/)) return true;
      return !has(/^(?:-[bB]|--orphan|-t|--track)$/) && (operands.length > 2 || /\/$|\.[A-Za-z]\w*$/.test(next));
    case "switch":
      return has(/^(?:-f|--force|--discard-changes|-C)$/);
    case "branch":
    case "tag":
      return has(/^(?:-[dD]|--delete)$/);
    case "stash":
      return next === "drop" || next === "clear";
    case "push":
      return (
        has(/^(?:-f|--force|--force-with-lease.*|-d|--delete|--mirror|--prune)$/) || operands.slice(1).some((text) => /^[+:]/.test(text))
      );
    case "worktree":
    case "remote":
      return next === "remove" || next === "rm";
    default:
      return false;
  }
}

/** The command `w` of sed, after an address or as a flag of `s`. */
const sedWrites = /(?:(?:^|[;{\n])\s*(?:\d+|\$|\/[^/]*\/)?\s*|s\/[^/]*\/[^/]*\/[a-vx-zA-Z\d]*)w\s+([^\n;]+)/g;

function overwritten(program: string, texts: readonly string[], operands: readonly string[]): string[] {
  // The files that awk and sed programs write.
  if (/^g?awk$/.test(program)) return texts.flatMap((text) => Array.from(text.matchAll(/>\s*"([^"]+)"/g), ([, path = ""]) => path));
  if (program === "sed") return texts.flatMap((text) => Array.from(text.matchAll(sedWrites), ([, path = ""]) => path));
  const folder = intoFolder(texts);
  if (folder !== null && /^(?:mv|install|cp|ln)$/.test(program)) return [folder];
  if (program === "sort")
    return texts.flatMap((text, index) => (/^(?:-[a-zA-Z]*o|--output)$/.test(text) ? texts.slice(index + 1, index + 2) : []));
  if (program === "mv" || program === "install") return operands.slice(-1);
  if (program === "cp") return texts.some((text) => /^-[a-zA-Z]*n|^--no-clobber$/.test(text)) ? [] : operands.slice(-1);
  if (program === "tee") return texts.some((text) => /^(?:-[a-z]*a|--append)/.test(text)) ? [] : [...operands];
  if (program === "dd") return texts.flatMap((text) => (text.startsWith("of=") ? [text.slice(3)] : []));
  if (program === "ln") return texts.some((text) => /^-[a-zA-Z]*f|^--force$/.test(text)) ? operands.slice(-1) : [];
  return [];
}

/** The folder that is named before the files that go into it. */
function intoFolder(texts: readonly string[]): string | null {
  for (const [index, text] of texts.entries()) {
    if (/^(?:-[a-zA-Z]*t|--target-directory)$/.test(text)) return texts[index + 1] ?? null;
    if (text.startsWith("--target-directory=")) return text.slice(text.indexOf("=") + 1);
  }
  return null;
}

/** Names of the piped input, whatever folder the program starts in. */
const isInput = /(?:^|\/)(?:stdin|fd\/+\d+)$/;

/** Whether a word names the piped input, or is computed and could. */
function mayBeInput({ text, isExact }: Value): boolean {
  return isInput.test(text) || (!isExact && endOfInput.test(text));
}

/** A computed piece, and what can follow it in such a name. */
const endOfInput = /(?:\$[\w@*]+|[)}\]*?])(?:s?t?d?i?n?|f?d?\/*\d*)$/;

/** Modules of Python that run text which they are given or read. */
const runsItsText = /^(?:timeit|code|pdb|asyncio|runpy)(?:\.__main__)?$/;

const modulesOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text, index) => {
    const joined = /^-[A-Za-z]*?m(.*)$/s.exec(text)?.[1];
    return joined === undefined ? [] : [joined === "" ? (texts[index + 1] ?? "") : joined];
  });

/** A pipe of awk into a command or from one, and a call that runs one. */
const runsCommand = /\|&?\s*(?:getline\b|")|\bsystem\s*\(|\bprintf?\b[^;}\n|]*\|&?(?!\|)\s*[\w($]/;

/** Whether make reads this word's file from its input. */
function isMakefile(text: string, before = ""): boolean {
  const [, joined] = /^(?:-f|--(?:make)?file=)(.+)$/.exec(text) ?? [];
  const file = joined ?? (/^(?:-[a-zA-Z]*f|--(?:make)?file)$/.test(before) ? text : null);
  return file !== null && (file === "-" || isInput.test(file));
}

/** Whether git runs text as a shell command or a program. */
function isGitText(texts: readonly string[], [verb, next]: readonly string[]): boolean {
  if (texts.some((text) => /^(?:alias\.[^=]+=!|(?:core|sequence)\.editor=)/i.test(text))) return true;
  if (verb === "config") {
    const key = texts.findIndex((text) => /^(?:alias\.|(?:core|sequence)\.editor$)/i.test(text));
    const value = key < 0 ? undefined : texts[key + 1];
    if (value !== undefined && (value.startsWith("!") || /editor$/i.test(texts[key] ?? ""))) return true;
  }
  if (verb === "rebase") return texts.some((text) => /^-(?!-).*x|^--ex/.test(text));
  return (verb === "bisect" && next === "run") || (verb === "submodule" && texts.includes("foreach"));
}

function isRunningText(
  program: string,
  texts: readonly string[],
  operands: readonly string[],
  isPiped: boolean,
  fromInput: boolean,
): boolean {
  if (program === "trap") return operands.length > 1 && operands[0] !== "";
  if (program === "eval" || (program === "alias" && texts.some((text) => text.includes("=")))) return true;
  // An awk program may run commands.
  if (/^g?awk$/.test(program) && texts.some((text) => runsCommand.test(text.replaceAll(/"(?:[^"\\]|\\[^])*"/g, '""')))) return true;
  // A makefile is a list of commands.
  if (program === "make" && isPiped && texts.some((text, index) => isMakefile(text, texts[index - 1]))) return true;
  if (/^(?:npx|npm)$/.test(program) && /^-(?:c|-call)(?:=|$)/.test(texts[program === "npx" ? 0 : 1] ?? "")) return true;
  if (
    /^(?:compgen|complete)$/.test(program) &&
    texts.some((text, index) => text === "-C" || (texts[index - 1] === "-W" && /[$`]/.test(text)))
  )
    return true;
  if ((program === "source" || program === ".") && (fromInput || operands.some((text) => /^(?:\/dev\/|[<$])/.test(text)))) return true;
  const option = runsItsOption.get(program);
  if (texts.length === 1 && (shells.has(program) ? /^--(?:version|help)$/ : /^-(?:[vVh]|-version|-help)$/).test(texts[0] ?? ""))
    return false;
  if (option !== undefined && texts.some((text) => option.test(text))) return true;
  if (program === "node" && texts.some((text) => /^(?:--[a-z-]+=)?data:/i.test(text))) return true;
  if (program === "node" && texts.includes("--test")) return false;
  if (program === "flock" && texts.some((text) => /^(?:-c|--command)$/.test(text))) return true;
  if (program === "git" && isGitText(texts, operands)) return true;
  if (/^python3?$/.test(program) && modulesOf(texts).some((name) => runsItsText.test(name))) return true;
  // Without a file to run, it runs its piped input.
  const isFile = operands[0] !== undefined && !fromInput && !texts.includes("-");
  if (shells.has(program) && operands[0]?.startsWith("<(") === true) return true;
  return option !== undefined && isPiped && (!isFile || (shells.has(program) && texts.some((text) => /^-[a-z]*s[a-z]*$/.test(text))));
}

function reached(program: string, texts: readonly string[], operands: readonly string[]): Finding[] {
  const isFetcher = program === "curl" || program === "wget";
  const verb = operands[0] ?? "";
  if (/^python3?$/.test(program) && texts[0] === "-m" && texts[1] === "pip") return reached("pip", texts.slice(2), operands.slice(1));
  if (program === "npx" || program === "bunx" || registries.get(program)?.test(verb) === true) return [{ kind: "reaches", host: null }];
  if (!isFetcher && !(program === "git" && /^(?:clone|fetch|pull|push|ls-remote|remote|submodule)$/.test(verb))) return [];
  const hosts = texts.flatMap((text): string[] => {
    const named = /^(?:--url=)?[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text.replace(/^--url=/, "") : null;
    if (named !== null) return URL.canParse(named) ? [new URL(named).host || named] : [named];
    const remote = program === "git" ? /^(?:[^@/\s]+@)?([^:/\s]+\.[^:/\s]+):/.exec(text)?.[1] : undefined;
    if (remote !== undefined) return [remote];
    if (!isFetcher || !operands.includes(text)) return [];
    return [!text.includes("$") && URL.canParse(`http://${text}`) ? new URL(`http://${text}`).host : text];
  });
  if (hosts.length > 0) return hosts.map((host) => ({ kind: "reaches", host }));
  return isFetcher || /^(?:clone|fetch|pull|push|ls-remote)$/.test(verb) ? [{ kind: "reaches", host: null }] : [];
}

function operandsAfterFirst(texts: readonly string[], program: string): string[] {
  if (program === "echo" || program === "printf") return [];
  const first = texts.findIndex((text) => !text.startsWith("-"));
  return texts.filter((_, index) => index !== first);
}

/** The paths in a word: the word itself, the text after an equals sign, and the text after an option's letter. */
function pathsIn(text: string): string[] {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return [];
  const after = /^[^=/]*=(.*)$/s.exec(text)?.[1];
  const ofOption = /^-[A-Za-z]([/~].*|\.\..*)$/s.exec(text)?.[1];
  // A file whose content curl sends.
  const sent = /^(?:-d)?@(.+)$/s.exec(text)?.[1];
  return [text, after, ofOption, sent].filter((path) => path !== undefined).flatMap(choices);
}

/** The maximum number of paths that one word may stand for. */
const mostChoices = 64;

/** Expands the braces in a word to paths. */
function choices(path: string): string[] {
  const found = [path];
  for (let at = 0; at < found.length && found.length < mostChoices; at++) {
    const [, before = "", list, after = ""] = /^([^{}]*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(found[at] ?? "") ?? [];
    if (list !== undefined) found.push(...list.split(",").map((each) => before + each + after));
  }
  return found;
}

/** Whether a path may lead out of the project: an absolute path outside it, or a relative path that leaves its starting folder. */
export function isOutside(written: string): boolean {
  // Both variables are folders in the project.
  const path = written.replace(/^\$(?:PWD|HOME)(?=\/)/, projectFolder);
  if (path === "" || path.length > 4_096 || harmless.test(path)) return false;
  if (path.startsWith("~")) return true;
  const isAbsolute = path.startsWith("/");
  const steps: string[] = [];
  let out = false;
  for (const step of path.split("/")) {
    if (step === "" || step === ".") continue;
    if (step !== "..") steps.push(step);
    else if (steps.pop() === undefined && !isAbsolute) out = true;
  }
  if (!isAbsolute) return out;
  return steps[0] !== projectFolder.slice(1);
}
