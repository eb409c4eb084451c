import type { GitCommand } from "../run.ts";
import { absent, Stop } from "../stop.ts";
import { modes } from "../store/model.ts";
import { relativeTo } from "./status.ts";

/** Submodules stay as they are in commits; their repositories are not fetched. */
export const submodule: GitCommand = async (run, args) => {
  const words = args.filter((arg) => !arg.startsWith("-"));
  const [verb = "status"] = words;
  const repo = await run.repository();
  const { files } = await repo.readIndex();
  const there = [...files].filter(([, { mode }]) => mode === modes.submodule);
  switch (verb) {
    case "status": {
      const spec = repo.spec(words.slice(1));
      const name = relativeTo(repo.prefix);
      for (const [path, { oid }] of there) if (words.length < 2 || spec.matches(path)) run.out(`-${oid} ${name(path)}\n`);
      return 0;
    }
    case "init":
    case "update":
    case "sync":
    case "foreach":
    case "summary":
    case "deinit":
      // Without submodules there is nothing to do.
      if (there.length === 0) return 0;
      return absent(`submodule ${verb}: clone the other repository into a folder that .gitignore names`);
    case "add":
    case "absorbgitdirs":
    case "set-branch":
    case "set-url":
      return absent(`submodule ${verb}: clone the other repository into a folder that .gitignore names`);
    default:
      throw new Stop(
        1,
        `usage: git submodule [--quiet] [--cached]\n   or: git submodule [--quiet] status [--cached] [--recursive] [--] [<path>...]\n`,
      );
  }
};
