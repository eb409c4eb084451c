import { readAttributes } from "../attributes.ts";
import { parseOptions } from "../options.ts";
import type { GitCommand } from "../run.ts";
import { fatal } from "../stop.ts";

/** `git check-attr name… -- path…`. */
export const checkAttr: GitCommand = async (run, args) => {
  const options = parseOptions("check-attr", args, ["a all", "stdin", "cached", "z"]);
  const repo = await run.repository();
  const lines = options.has("stdin")
    ? run.shell
        .stdin()
        .split(options.has("z") ? "\0" : "\n")
        .filter((line) => line !== "")
    : [];
  const [names, paths] = options.has("all")
    ? [[], [...options.words, ...(options.paths ?? [])]]
    : options.paths === null && !options.has("stdin")
      ? [options.words.slice(0, 1), options.words.slice(1)]
      : [options.words, options.paths ?? []];
  if (names.length === 0 && !options.has("all")) fatal("No attribute specified");
  const rules = await readAttributes(repo);
  const say = (path: string, name: string, value: string | boolean | undefined): void => {
    const word = value === undefined ? "unspecified" : value === true ? "set" : value === false ? "unset" : value;
    run.out(options.has("z") ? `${path}\0${name}\0${word}\0` : `${path}: ${name}: ${word}\n`);
  };
  for (const path of [...paths, ...lines]) {
    const found = await rules.of(repo.files.resolve(run.shell.cwd, path).slice(repo.top.length + 1));
    if (options.has("all")) for (const [name, value] of found) say(path, name, value);
    else for (const name of names) say(path, name, found.get(name));
  }
  return 0;
};
