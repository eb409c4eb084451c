import { parseOptions } from "../options.ts";
import { findRepository } from "../repository.ts";
import type { GitCommand } from "../run.ts";
import { absent, failed, fatal, Stop } from "../stop.ts";
import { addConfig, changeConfig, type ConfigEntry, moveSection, normalKey, parseConfig } from "../store/config.ts";
import { workFiles } from "../store/files.ts";
import { decode, encode } from "../text/bytes.ts";

/** `--global` uses `.gitconfig` in the home folder, which is the project's folder: it belongs to the project like any other file. */
export const config: GitCommand = async (run, args) => {
  const spec = [
    "l list",
    "get",
    "get-all",
    "get-regexp",
    "unset",
    "unset-all",
    "add",
    "replace-all",
    "global",
    "local",
    "system",
    "worktree",
    "f file=",
    "bool",
    "int",
    "type=",
    "default=",
    "z null",
    "show-origin",
    "name-only",
    "e edit",
    "remove-section",
    "rename-section",
  ];
  // A value may start with a dash: `git config branch.sort -committerdate`.
  const options = parseOptions("config", args, spec, true);
  for (const name of ["system", "worktree", "edit"]) if (options.has(name)) absent(`config --${name}`);
  const repo = await findRepository(run.shell, run.overrides);
  const files = workFiles(run.shell.fs);
  const globalPath = `${run.shell.env("HOME") ?? ""}/.gitconfig`;
  const useGlobal = options.has("global");
  const given = options.value("file");
  const own = given === null ? (useGlobal ? globalPath : null) : files.resolve(run.shell.cwd, given);
  const read = async (path: string): Promise<string> => decode((await files.read(path)) ?? new Uint8Array());
  const localPath = repo === null ? null : repo.configPath;
  type Placed = ConfigEntry & { readonly origin: string };
  const placed = (list: readonly ConfigEntry[], origin: string): Placed[] => list.map((entry) => ({ ...entry, origin }));
  const entries: readonly Placed[] =
    own !== null
      ? placed(parseConfig(await read(own)), `file:${given ?? globalPath}`)
      : [
          ...(options.has("local") ? [] : placed(parseConfig(await read(globalPath)), `file:${globalPath}`)),
          ...(localPath === null ? [] : placed(parseConfig(await read(localPath)), `file:${shownPath(localPath, run.shell.cwd)}`)),
          ...(options.has("local") ? [] : placed(run.overrides, "command line:")),
        ];
  const end = options.has("null") ? "\0" : "\n";
  const typed = (value: string, key: string): string => {
    const type = options.has("bool") ? "bool" : options.has("int") ? "int" : (options.value("type") ?? "");
    if (type === "bool") return boolean(value);
    if (type === "int") return integer(value, key);
    return type === "" || type === "path" ? value : absent(`config --type=${type}`);
  };
  const origin = (entry: Placed): string => (options.has("show-origin") ? `${entry.origin}${end === "\0" ? "\0" : "\t"}` : "");
  const gap = end === "\0" ? "\n" : " ";

  if (options.has("list")) {
    for (const entry of entries)
      run.out(
        origin(entry) + (options.has("name-only") ? entry.key + end : `${entry.key}${end === "\0" ? "\n" : "="}${entry.value}${end}`),
      );
    return 0;
  }
  const [name, value, pattern] = options.words;
  if (name === undefined)
    throw new Stop(
      129,
      "usage: git config [--global] [--get | --get-all | --get-regexp | --unset] <name> [<value>]\n       git config [--global] --list\n",
    );
  if (options.has("get-regexp")) {
    const [matches, holds] = [
      patternOf(name.replace(/^[^.]+/, (section) => section.toLowerCase())),
      value === undefined ? null : patternOf(value),
    ];
    const found = entries.filter((entry) => matches.test(entry.key) && (holds === null || holds.test(entry.value)));
    for (const entry of found)
      run.out(`${origin(entry)}${entry.key}${options.has("name-only") ? "" : gap + typed(entry.value, entry.key)}${end}`);
    return found.length > 0 ? 0 : 1;
  }
  const path = (): string => own ?? localPath ?? fatal("not in a git directory");
  if (options.has("remove-section") || options.has("rename-section")) {
    const text = await read(path());
    const renames = options.has("rename-section");
    const to = renames ? (value ?? fatal("wrong number of arguments, should be 2")) : null;
    const moved = moveSection(text, name, to);
    if (moved === text) fatal(`no such section: ${name}`);
    await files.write(path(), encode(moved));
    return 0;
  }
  const key = normalKey(name) ?? failed(`key does not contain a section: ${name}`, value === undefined ? 1 : 2);
  const found = entries.filter((entry) => entry.key === key);

  if (options.has("unset") || options.has("unset-all")) {
    if (found.length === 0) return 5;
    if (found.length > 1 && !options.has("unset-all")) {
      run.err(`warning: ${key} has multiple values\n`);
      return 5;
    }
    await write((text) => found.reduce((rest) => changeConfig(rest, name, null), text));
    return 0;
  }
  if (options.has("add")) {
    await write((text) => addConfig(text, name, value ?? fatal("wrong number of arguments, should be 2")));
    return 0;
  }
  if (value !== undefined && !options.has("get") && !options.has("get-all")) {
    if (pattern !== undefined) absent("config with a pattern of the value to replace");
    if (options.has("replace-all"))
      await write((text) =>
        changeConfig(
          found.slice(1).reduce((rest) => changeConfig(rest, name, null), text),
          name,
          value,
        ),
      );
    else if (found.filter((entry) => own !== null || entry.origin === `file:${shownPath(localPath ?? "", run.shell.cwd)}`).length > 1) {
      run.err(
        `warning: ${key} has multiple values\nerror: cannot overwrite multiple values with a single value\n       Use a regexp, --add or --replace-all to change ${key}.\n`,
      );
      return 5;
    } else await write((text) => changeConfig(text, name, typed(value, key)));
    return 0;
  }
  const last = found.at(-1);
  if (last === undefined) {
    const usual = options.value("default");
    if (usual === null) return 1;
    run.out(typed(usual, key) + end);
    return 0;
  }
  for (const entry of options.has("get-all") ? found : [last]) run.out(origin(entry) + typed(entry.value, key) + end);
  return 0;

  async function write(change: (text: string) => string): Promise<void> {
    await files.write(path(), encode(change(await read(path()))));
  }
};

/** The path of a repository file, relative to the working directory. */
function shownPath(path: string, cwd: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    return fatal(`invalid key pattern: ${text}`);
  }
}

function integer(value: string, key: string): string {
  const found = /^(-?\d+)([kmg]?)$/i.exec(value.trim());
  if (!found) return fatal(`bad numeric config value '${value}' for '${key}': invalid unit`);
  const factor = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 }[(found[2] ?? "").toLowerCase()] ?? 1;
  return String(Number(found[1]) * factor);
}

function boolean(value: string): string {
  if (/^(?:true|yes|on|[1-9]\d*)$/i.test(value)) return "true";
  return /^(?:false|no|off|0|)$/i.test(value) ? "false" : fatal(`bad boolean config value '${value}'`);
}
