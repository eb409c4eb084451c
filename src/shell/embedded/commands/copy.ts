import type { FsStat } from "just-bash/browser";
import { type Answer, type Context, failed } from "./answer.ts";
import { command } from "./command.ts";
import { absolute, linkStatOf, makeFolders, reasonOf, statOf } from "./files.ts";
import { type Options, parseOptions } from "./options.ts";

const long = {
  archive: "a",
  backup: "b",
  force: "f",
  interactive: "i",
  link: "l",
  "symbolic-link": "s",
  dereference: "L",
  "no-dereference": "P",
  "no-clobber": "n",
  recursive: "r",
  "target-directory": "t",
  "no-target-directory": "T",
  update: "u",
  verbose: "v",
  "one-file-system": "x",
  parents: "parents",
  preserve: "p",
  "no-preserve": "ignored",
  "remove-destination": "f",
  reflink: "ignored",
  sparse: "ignored",
  "strip-trailing-slashes": "ignored",
  "attributes-only": "attributes",
};

/** The output of a call. */
interface Said {
  stdout: string;
  stderr: string;
}

interface Move {
  readonly name: "cp" | "mv";
  readonly options: Options;
  readonly context: Context;
  readonly said: Said;
}

const add = (folder: string, name: string): string => (folder.endsWith("/") ? folder + name : `${folder}/${name}`);
const lastOf = (path: string): string => path.replace(/\/+$/, "").replace(/^.*\//, "");

/** Determines the target of each operand. Returns a text if something is wrong. */
async function targetsOf({
  name,
  options,
  context,
}: Move): Promise<{ readonly folder: boolean; readonly target: string; readonly sources: readonly string[] } | Answer> {
  const hint = `\nTry '${name} --help' for more information.`;
  const sources = [...options.operands];
  if (sources.length === 0) return failed(name, `missing file operand${hint}`);
  const given = options.value("t");
  const target = given ?? sources.pop() ?? "";
  if (sources.length === 0) return failed(name, `missing destination file operand after '${target}'${hint}`);
  const stat = await statOf(context, target);
  if (options.has("T")) {
    if (sources.length > 1) return failed(name, `extra operand '${sources[1] ?? ""}'${hint}`);
    return { folder: false, target, sources };
  }
  const isFolder = stat?.isDirectory === true;
  if (given !== null && !isFolder)
    return failed(name, `target directory '${target}': ${stat === null ? "No such file or directory" : "Not a directory"}`);
  if (!isFolder && sources.length > 1)
    return failed(name, `target '${target}': ${stat === null ? "No such file or directory" : "Not a directory"}`);
  return { folder: isFolder, target, sources };
}

/** Whether the file at the target may be replaced; makes a backup if one was requested. */
async function makeWay({ options, context, said, name }: Move, from: FsStat, to: string): Promise<boolean> {
  const there = await linkStatOf(context, to);
  if (there === null || there.isDirectory) return true;
  if (options.has("n")) return false;
  // No one can be asked, so the answer is no.
  if (options.has("i") && !options.has("f")) {
    said.stderr += `${name}: overwrite '${to}'? `;
    return false;
  }
  if (options.has("u") && from.mtime.getTime() <= there.mtime.getTime()) return false;
  if (options.has("b")) await context.fs.mv(absolute(context, to), absolute(context, `${to}~`));
  return true;
}

async function copy(move: Move, from: string, to: string): Promise<void> {
  const { options, context, said } = move;
  const recursive = ["r", "R", "a"].some((letter) => options.has(letter));
  const keepsLinks = options.has("P") || options.has("d") || (recursive && !options.has("L") && !options.has("H"));
  const link = await linkStatOf(context, from);
  const source = keepsLinks ? link : await statOf(context, from);
  const fail = (message: string): void => void (said.stderr += `cp: ${message}\n`);
  if (source === null) return fail(`cannot stat '${from}': No such file or directory`);
  if (from.endsWith("/") && !source.isDirectory) return fail(`cannot stat '${from}': Not a directory`);
  if (source.isDirectory && !recursive) return fail(`-r not specified; omitting directory '${from}'`);
  const [at, target] = [absolute(context, from), absolute(context, to)];
  const there = await statOf(context, to);
  if (at === target) return fail(`'${from}' and '${to}' are the same file`);
  if (there?.isDirectory && !source.isDirectory) return fail(`cannot overwrite directory '${to}' with non-directory`);
  if (there && !there.isDirectory && source.isDirectory) return fail(`cannot overwrite non-directory '${to}' with directory '${from}'`);
  if (to.endsWith("/") && !source.isDirectory) return fail(`cannot create regular file '${to}': Not a directory`);
  if (source.isDirectory && target.startsWith(`${at}/`)) return fail(`cannot copy a directory, '${from}', into itself, '${to}'`);
  try {
    if (source.isDirectory) {
      if (there === null) {
        await context.fs.mkdir(target);
        if (options.has("v")) said.stdout += `'${from}' -> '${to}'\n`;
      }
      for (const name of await context.fs.readdir(at)) await copy(move, add(from, name), add(to, name));
    } else {
      if (!(await makeWay(move, source, to))) return;
      if (source.isSymbolicLink) {
        if (await linkStatOf(context, to)) await context.fs.rm(target);
        await context.fs.symlink(await context.fs.readlink(at), target);
      } else if (!options.has("attributes")) await context.fs.cp(at, target);
      if (options.has("v")) said.stdout += `'${from}' -> '${to}'\n`;
    }
    if (source.isSymbolicLink) return;
    const made = await context.fs.stat(target);
    if (made.mode !== source.mode && (there === null || options.has("p") || options.has("a"))) await context.fs.chmod(target, source.mode);
    if (options.has("p") || options.has("a")) await context.fs.utimes(target, source.mtime, source.mtime);
  } catch (error) {
    fail(`cannot create ${source.isDirectory ? "directory" : "regular file"} '${to}': ${reasonOf(error)}`);
  }
}

async function moveOne(move: Move, from: string, to: string): Promise<void> {
  const { context, options, said } = move;
  const fail = (message: string): void => void (said.stderr += `mv: ${message}\n`);
  const source = await linkStatOf(context, from);
  if (source === null) return fail(`cannot stat '${from}': No such file or directory`);
  if (from.endsWith("/") && !source.isDirectory && !source.isSymbolicLink) return fail(`cannot stat '${from}': Not a directory`);
  const [at, target] = [absolute(context, from), absolute(context, to)];
  if (at === target) return fail(`'${from}' and '${to}' are the same file`);
  if (source.isDirectory && target.startsWith(`${at}/`)) return fail(`cannot move '${from}' to a subdirectory of itself, '${to}'`);
  const there = await linkStatOf(context, to);
  if (there?.isDirectory && !source.isDirectory) return fail(`cannot overwrite directory '${to}' with non-directory`);
  if (there && !there.isDirectory && source.isDirectory) return fail(`cannot overwrite non-directory '${to}' with directory '${from}'`);
  if (to.endsWith("/") && there === null && !source.isDirectory) return fail(`cannot move '${from}' to '${to}': Not a directory`);
  if (!(await makeWay(move, source, to))) return;
  try {
    await context.fs.mv(at, target);
    if (options.has("v")) said.stdout += `renamed '${from}' -> '${to}'\n`;
  } catch (error) {
    fail(`cannot move '${from}' to '${to}': ${reasonOf(error)}`);
  }
}

function program(name: "cp" | "mv", letters: string): ReturnType<typeof command> {
  return command(name, async (args, context) => {
    const options = parseOptions(args, letters, long);
    if (typeof options === "string") return failed(name, `${options}\nTry '${name} --help' for more information.`);
    if (name === "cp" && (options.has("l") || options.has("s")))
      return failed("cp", "links can't be made here; leave out -l and -s to copy");
    const said: Said = { stdout: "", stderr: "" };
    const move: Move = { name, options, context, said };
    const plan = await targetsOf(move);
    if (!("sources" in plan)) return plan;
    if (options.has("parents") && !plan.folder)
      return failed(name, `with --parents, the destination must be a directory\nTry '${name} --help' for more information.`);
    for (const source of plan.sources) {
      let to = plan.target;
      if (options.has("parents")) {
        to = add(to, source.replace(/^\/+/, "").replace(/\/+$/, ""));
        await makeFolders(context, to.replace(/\/[^/]*$/, ""));
      } else if (plan.folder && !/^\.\.?$/.test(lastOf(source))) to = add(to, lastOf(source));
      await (name === "cp" ? copy : moveOne)(move, source, to);
    }
    return { ...said, exitCode: said.stderr === "" ? 0 : 1 };
  });
}

/** GNU cp and mv. No one can be asked, so `-i` replaces nothing. */
export const copying = [program("cp", "abdfiHlLnPprRst:TuvxZ"), program("mv", "bfint:TuvZ")];
