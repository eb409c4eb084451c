import { joinBytes } from "../../../fs/bytes.ts";
import { type Answer, type Context, failed } from "./answer.ts";
import { absolute, globExpression, makeFolders, readInput, statOf, walk, writeOutput } from "./files.ts";
import { parseOptions } from "./options.ts";
import { packMember, packZip, unpackMember, unpackZip, type ZipMember } from "./zip-format.ts";

const matcher = (patterns: readonly string[]): ((name: string) => boolean) => {
  const expressions = patterns.map((pattern) => new RegExp(`^${globExpression(pattern)}$`, "s"));
  return (name) => expressions.some((expression) => expression.test(name));
};

/** `-x` and `-i` take every word up to the next option. */
function takeLists(
  args: readonly string[],
  letters: string,
): { readonly rest: readonly string[]; readonly lists: ReadonlyMap<string, readonly string[]> } {
  const rest: string[] = [];
  const lists = new Map<string, string[]>();
  let open: string[] | null = null;
  for (const arg of args) {
    const [, letter, attached = ""] = new RegExp(`^-([${letters}])(.*)$`, "s").exec(arg) ?? [];
    if (letter !== undefined) {
      open = lists.get(letter) ?? [];
      lists.set(letter, open);
      if (attached !== "") open.push(attached);
    } else if (arg.startsWith("-") && arg !== "-") {
      open = null;
      rest.push(arg);
    } else (open ?? rest).push(arg);
  }
  return { rest, lists };
}

export async function zip(args: readonly string[], context: Context): Promise<Answer> {
  const { rest, lists } = takeLists(args, "xi");
  const options = parseOptions(rest, "rqjudmDvoyXfT0123456789@", {
    recurse: "r",
    "recurse-paths": "r",
    quiet: "q",
    "junk-paths": "j",
    delete: "d",
    update: "u",
    move: "m",
  });
  if (typeof options === "string") return { stderr: `\nzip error: Invalid command arguments (${options})\n`, exitCode: 16 };
  const [given, ...names] = options.operands;
  if (given === undefined) return { stderr: "zip error: Nothing to do!\n", exitCode: 16 };
  const archive = given === "-" || /\.[^/]*$/.test(given) ? given : `${given}.zip`;
  const old = (await statOf(context, archive)) === null ? [] : unpackZip(await context.fs.readFileBuffer(absolute(context, archive)));
  if (old === null) return { stderr: `\nzip error: Zip file structure invalid (${archive})\n`, exitCode: 3 };
  const members = new Map<string, ZipMember>(old.map((member) => [member.name, member]));
  let stdout = "";
  let stderr = "";
  const say = (line: string): void => void (stdout += options.has("q") ? "" : `${line}\n`);
  const excluded = matcher(lists.get("x") ?? []);
  const included = lists.has("i") ? matcher(lists.get("i") ?? []) : () => true;

  if (options.has("d")) {
    const doomed = matcher(names);
    for (const name of [...members.keys()].filter((entry) => doomed(entry))) {
      members.delete(name);
      say(`deleting: ${name}`);
    }
  }
  const sources: string[] = [];
  for (const name of options.has("d") ? [] : names) {
    if ((await statOf(context, name)) === null) {
      stderr += `\tzip warning: name not matched: ${name}\n`;
      continue;
    }
    for await (const { path, stat } of walk(context, name.replace(/(?!^)\/+$/, ""))) {
      if (path !== name.replace(/(?!^)\/+$/, "") && !options.has("r")) continue;
      const whole = path.replace(/^(\.?\/)+/, "") + (stat.isDirectory ? "/" : "");
      const member = options.has("j") ? whole.slice(whole.lastIndexOf("/") + 1) : whole;
      if (
        member === "" ||
        member === "./" ||
        whole === "./" ||
        excluded(whole) ||
        !included(whole) ||
        absolute(context, path) === absolute(context, archive)
      )
        continue;
      if (stat.isDirectory && (options.has("D") || options.has("j"))) continue;
      const bytes = stat.isDirectory ? new Uint8Array() : await context.fs.readFileBuffer(absolute(context, path));
      const packed = await packMember(member, bytes, stat.mtime, stat.mode, options.has("0"));
      const before = members.get(member);
      if (options.has("u") && before !== undefined && before.mtime >= stat.mtime) continue;
      members.set(member, packed);
      const share = bytes.length === 0 ? 0 : Math.round(100 - (100 * packed.packed.length) / bytes.length);
      say(`${before ? "updating" : "  adding"}: ${member} (${packed.method === 0 ? "stored 0" : `deflated ${share}`}%)`);
      if (stat.isFile) sources.push(path);
    }
  }
  if (
    members.size === 0 ||
    (sources.length === 0 && !options.has("d") && old.length === 0 && ![...members.keys()].some((name) => name.endsWith("/")))
  ) {
    return { stdout: `${stdout}${stderr}\nzip error: Nothing to do! (${archive})\n`, exitCode: 12 };
  }
  const bytes = packZip([...members.values()]);
  if (archive === "-") return { stdout: bytes, stderr: stdout + stderr };
  const why = await writeOutput(context, archive, bytes);
  if (why !== null) return { stderr: `zip I/O error: ${why}\nzip error: Could not create output file (${archive})\n`, exitCode: 15 };
  if (options.has("m")) for (const path of sources) await context.fs.rm(absolute(context, path));
  return { stdout, stderr };
}

export async function unzip(args: readonly string[], context: Context): Promise<Answer> {
  const { rest, lists } = takeLists(args, "x");
  const options = parseOptions(rest, "lvopqntjud:Z1C", {});
  if (typeof options === "string") return { stderr: `unzip: ${options}\n`, exitCode: 10 };
  const [given, ...wanted] = options.operands;
  if (given === undefined)
    return { stderr: "UnZip: the archive is missing. Usage: unzip [-lopqntj] archive[.zip] [list] [-x list] [-d folder]\n", exitCode: 10 };
  const archive = (await statOf(context, given)) === null ? `${given}.zip` : given;
  const read = await readInput(context, archive);
  if (!read.ok) return failed("unzip", ` cannot find or open ${given}, ${given}.zip or ${given}.ZIP.`, 9);
  const all = unpackZip(read.bytes);
  if (all === null) {
    const stderr = `  End-of-central-directory signature not found.  Either this file is not\n  a zipfile, or it constitutes one disk of a multi-part archive.  In the\n  latter case the central directory and zipfile comment will be found on\n  the last disk(s) of this archive.\nunzip:  cannot find zipfile directory in one of ${given} or\n        ${given}.zip, and cannot find ${given}.ZIP, period.\n`;
    return { stdout: `Archive:  ${archive}\n`, stderr, exitCode: 9 };
  }
  const matches = wanted.map((pattern) => matcher([pattern]));
  const excluded = matcher(lists.get("x") ?? []);
  const members = all.filter(({ name }) => (wanted.length === 0 || matches.some((match) => match(name))) && !excluded(name));
  const missed = wanted.filter((_, i) => !all.some(({ name }) => matches[i]?.(name)));
  const caution = missed.map((name) => `caution: filename not matched:  ${name}\n`).join("");
  if (options.has("Z")) return { stdout: `${members.map(({ name }) => name).join("\n")}\n` };
  if (options.has("l") || options.has("v"))
    return { stdout: list(archive, members, options.has("q")), stderr: caution, exitCode: missed.length > 0 ? 11 : 0 };
  if (options.has("p") || options.has("t")) return readOut(archive, members, options.has("t"), caution);
  const outcome = await extractAll(
    members,
    { folder: options.value("d"), flat: options.has("j"), over: options.has("o"), keep: options.has("n"), update: options.has("u") },
    context,
  );
  const quiet = options.has("q");
  return {
    stdout: quiet ? "" : `Archive:  ${archive}\n${outcome.lines}`,
    stderr: outcome.stderr + caution,
    exitCode: outcome.exitCode === 0 && missed.length > 0 ? 11 : outcome.exitCode,
  };
}

interface Extraction {
  readonly folder: string | null;
  readonly flat: boolean;
  readonly over: boolean;
  readonly keep: boolean;
  readonly update: boolean;
}

async function extractAll(
  members: readonly ZipMember[],
  how: Extraction,
  context: Context,
): Promise<{ lines: string; stderr: string; exitCode: number }> {
  let lines = "";
  let stderr = "";
  let exitCode = 0;
  for (const member of members) {
    const folder = member.name.endsWith("/");
    const inside = how.flat ? member.name.slice(member.name.lastIndexOf("/") + 1) : member.name.replace(/^\/+/, "");
    if (inside === "") continue;
    const path = how.folder === null ? inside : `${how.folder.replace(/\/$/, "")}/${inside}`;
    if (inside.split("/").includes("..")) {
      stderr += `warning:  skipped "../" path component(s) in ${member.name}\n`;
      exitCode = 1;
      continue;
    }
    const there = await statOf(context, path);
    if (folder) {
      if (there !== null) continue;
      await makeFolders(context, path);
      lines += `   creating: ${path}\n`;
      continue;
    }
    if (there !== null && (how.keep || (how.update && there.mtime >= member.mtime))) continue;
    if (there !== null && !how.over && !how.update) {
      stderr += `replace ${path}? [y]es, [n]o, [A]ll, [N]one, [r]ename:  NULL\n(EOF or read error, treating as "[N]one" ...)\n`;
      return { lines, stderr, exitCode: 1 };
    }
    const bytes = await unpackMember(member);
    if (bytes === null) {
      stderr += `${path}: it is damaged, or packed in a way that is not known here\n`;
      exitCode = 2;
      continue;
    }
    const slash = path.lastIndexOf("/");
    const why = (slash > 0 ? await makeFolders(context, path.slice(0, slash)) : null) ?? (await writeOutput(context, path, bytes));
    if (why !== null) {
      stderr += `error:  cannot create ${path}\n        ${why}\n`;
      exitCode = 50;
      continue;
    }
    if (member.mode !== 0) await context.fs.chmod(absolute(context, path), member.mode);
    await context.fs.utimes(absolute(context, path), member.mtime, member.mtime);
    lines += `${member.method === 0 ? " extracting" : "  inflating"}: ${path.padEnd(22)}  \n`;
  }
  return { lines, stderr, exitCode };
}

async function readOut(archive: string, members: readonly ZipMember[], test: boolean, caution: string): Promise<Answer> {
  const pieces: Uint8Array[] = [];
  let lines = `Archive:  ${archive}\n`;
  let stderr = caution;
  for (const member of members) {
    const bytes = await unpackMember(member);
    if (bytes === null) stderr += `${member.name}: it is damaged, or packed in a way that is not known here\n`;
    else pieces.push(bytes);
    lines += `    testing: ${member.name.padEnd(22)}  ${bytes === null ? "bad" : "OK"}\n`;
  }
  const exitCode = stderr === caution ? (caution === "" ? 0 : 11) : 2;
  return test
    ? { stdout: `${lines}${exitCode === 0 ? `No errors detected in compressed data of ${archive}.\n` : ""}`, stderr, exitCode }
    : { stdout: joinBytes(pieces), stderr, exitCode };
}

function list(archive: string, members: readonly ZipMember[], quiet: boolean): string {
  const total = members.reduce((sum, { size }) => sum + size, 0);
  const rows = members.map(
    ({ name, size, mtime }) =>
      `${String(size).padStart(9)}  ${mtime.toISOString().slice(0, 10)} ${mtime.toISOString().slice(11, 16)}   ${name}\n`,
  );
  const count = `${members.length} file${members.length === 1 ? "" : "s"}`;
  return `${quiet ? "" : `Archive:  ${archive}\n`}  Length      Date    Time    Name\n---------  ---------- -----   ----\n${rows.join("")}---------                     -------\n${String(total).padStart(9)}                     ${count}\n`;
}
