import type { GitCommand } from "../run.ts";
import { findObject, mustFollow, parentsNamed, peel, shortOid, unknownObject, unknownRevision } from "../revision.ts";
import { absent, fatal } from "../stop.ts";

const flags = new Set(["--verify", "--quiet", "-q", "--short", "--abbrev-ref", "--symbolic-full-name", "--symbolic"]);

export const revParse: GitCommand = async (run, args) => {
  const repo = await run.repository();
  const given = new Set(args.filter((arg) => flags.has(arg) || arg.startsWith("--short=")));
  const quiet = given.has("--quiet") || given.has("-q");
  const length = Number([...given].find((arg) => arg.startsWith("--short="))?.slice(8) ?? (given.has("--short") ? 7 : 40));
  const inGit = run.shell.cwd === repo.gitdir || run.shell.cwd.startsWith(`${repo.gitdir}/`);
  for (const arg of args) {
    if (given.has(arg) || arg === "--") continue;
    switch (arg) {
      case "--show-toplevel":
        if (repo.isBare) fatal("this operation must be run in a work tree");
        run.out(`${repo.top}\n`);
        break;
      case "--git-dir":
        run.out(
          `${repo.isBare ? (run.shell.cwd === repo.gitdir ? "." : repo.gitdir) : repo.prefix === "" && repo.gitdir === `${repo.top}/.git` ? ".git" : repo.gitdir}\n`,
        );
        break;
      case "--git-common-dir":
        run.out(
          `${repo.isBare && run.shell.cwd === repo.common ? "." : repo.prefix === "" && repo.common === `${repo.top}/.git` ? ".git" : repo.common}\n`,
        );
        break;
      case "--absolute-git-dir":
        run.out(`${repo.gitdir}\n`);
        break;
      case "--is-inside-work-tree":
        run.out(`${String(!inGit && !repo.isBare)}\n`);
        break;
      case "--is-inside-git-dir":
        run.out(`${String(inGit)}\n`);
        break;
      case "--is-bare-repository":
        run.out(`${String(repo.isBare)}\n`);
        break;
      case "--show-prefix":
        run.out(`${repo.prefix}\n`);
        break;
      case "--show-cdup":
        run.out(`${"../".repeat(repo.prefix.split("/").length - 1)}\n`);
        break;
      default: {
        if (arg.startsWith("-")) absent(`rev-parse ${arg}`);
        const except = arg.startsWith("^");
        const name = except ? arg.slice(1) : arg;
        const range = /^(.*?)\.\.(.*)$/.exec(name);
        if (range) {
          for (const [sign, side] of [
            ["", range[2] || "HEAD"],
            ["^", range[1] || "HEAD"],
          ] as const)
            run.out(`${sign}${(await findObject(repo, side)) ?? unknownRevision(arg)}\n`);
          break;
        }
        const parents = given.has("--verify") ? null : await parentsNamed(repo, name);
        if (parents !== null) {
          run.out(parents.map((one) => `${one}\n`).join(""));
          break;
        }
        const oid = await findObject(repo, name);
        if (oid === null) {
          if (quiet) return 1;
          if (given.has("--verify")) fatal("Needed a single revision");
          // As git does, prints what can't be resolved unchanged.
          run.out(`${arg}\n`);
          return unknownObject(repo, arg);
        }
        if (given.has("--abbrev-ref") || given.has("--symbolic-full-name")) {
          const full = given.has("--symbolic-full-name");
          const head = await repo.refs.head();
          const upstream = /^(.*)@\{u(?:pstream)?\}$/.exec(name);
          const ref =
            name === "HEAD" || name === "@"
              ? head.branch === null
                ? "HEAD"
                : `refs/heads/${head.branch}`
              : upstream
                ? (await mustFollow(repo, upstream[1] ?? "")).ref
                : ((await repo.refs.find(name))?.ref ?? null);
          if (ref !== null) run.out(`${full ? ref : ref.replace(/^refs\/(?:heads|tags|remotes)\//, "")}\n`);
        } else
          run.out(
            `${except ? "^" : ""}${length < 40 ? (length === 7 ? shortOid(oid) : oid.slice(0, Math.max(4, length))) : given.has("--verify") && name.endsWith("^{commit}") ? await peel(repo, oid) : oid}\n`,
          );
      }
    }
  }
  return 0;
};
