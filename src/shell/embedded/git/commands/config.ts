import { parseOptions } from "../options.ts";
import { findRepository } from "../repository.ts";
import type { GitCommand } from "../run.ts";
import { absent, failed, fatal, Stop } from "../stop.ts";
import { changeConfig, normalKey, parseConfig } from "../store/config.ts";
import { workFiles } from "../store/files.ts";
import { decode, encode } from "../text/bytes.ts";

/** `--global` is `.gitconfig` in the home folder, which is the project's: it belongs to the project like any other file. */
export const config: GitCommand = async (run, args) => {
  const options = parseOptions("config", args, [
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
  ]);
  for (const name of [
    "get-regexp",
    "add",
    "replace-all",
    "system",
    "worktree",
    "file",
    "edit",
    "remove-section",
    "rename-section",
    "show-origin",
    "type",
    "int",
  ])
    if (options.has(name)) absent(`config --${name}`);
  const repo = await findRepository(run.shell, run.overrides);
  const files = workFiles(run.shell.fs);
  const globalPath = `${run.shell.env("HOME") ?? ""}/.gitconfig`;
  const useGlobal = options.has("global");
  const read = async (path: string): Promise<string> => decode((await files.read(path)) ?? new Uint8Array());
  const entries = useGlobal
    ? parseConfig(await read(globalPath))
    : repo
      ? options.has("local")
        ? parseConfig(await read(`${repo.gitdir}/config`))
        : await repo.config()
      : [...parseConfig(await read(globalPath)), ...run.overrides];
  const end = options.has("null") ? "\0" : "\n";

  if (options.has("list")) {
    for (const { key, value } of entries)
      run.out(options.has("name-only") ? key + end : `${key}${end === "\0" ? "\n" : "="}${value}${end}`);
    return 0;
  }
  const [given, value] = options.words;
  if (given === undefined)
    throw new Stop(
      129,
      "usage: git config [--global] [--get | --get-all | --unset] <name> [<value>]\n       git config [--global] --list\n",
    );
  const key = normalKey(given) ?? failed(`key does not contain a section: ${given}`, value === undefined ? 1 : 2);
  const found = entries.filter((entry) => entry.key === key);

  if (options.has("unset") || options.has("unset-all")) {
    if (found.length === 0) return 5;
    await set(null);
    return 0;
  }
  if (value !== undefined && !options.has("get") && !options.has("get-all")) {
    await set(value);
    return 0;
  }
  const last = found.at(-1)?.value ?? options.value("default");
  if (last === null) return 1;
  if (options.has("get-all")) for (const entry of found) run.out(entry.value + end);
  else run.out((options.has("bool") ? boolean(last) : last) + end);
  return 0;

  async function set(to: string | null): Promise<void> {
    const path = useGlobal ? globalPath : `${(repo ?? fatal("not in a git directory")).gitdir}/config`;
    await files.write(path, encode(changeConfig(await read(path), given ?? "", to)));
  }
};

function boolean(value: string): string {
  if (/^(?:true|yes|on|[1-9]\d*)$/i.test(value)) return "true";
  return /^(?:false|no|off|0|)$/i.test(value) ? "false" : fatal(`bad boolean config value '${value}'`);
}
