import { canonicalText } from "../../../../fs/path.ts";
import { parseOptions } from "../options.ts";
import { openBare, openRepository, type Repository } from "../repository.ts";
import type { GitCommand } from "../run.ts";
import { fatal } from "../stop.ts";
import { workFiles } from "../store/files.ts";
import { isRefName } from "../store/refs.ts";
import { encode } from "../text/bytes.ts";

const config = (isBare: boolean): string =>
  `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = ${String(isBare)}\n${isBare ? "" : "\tlogallrefupdates = true\n"}`;
const exclude = "# git ls-files --others --exclude-from=.git/info/exclude\n# Lines that start with '#' are comments.\n";

/** Creates the files of an empty repository. */
export async function makeRepository(repo: Repository, branch: string): Promise<void> {
  const { files, gitdir } = repo;
  await files.write(`${gitdir}/config`, encode(config(repo.isBare)));
  await files.write(`${gitdir}/info/exclude`, encode(exclude));
  await files.write(`${gitdir}/description`, encode("Unnamed repository; edit this file 'description' to name the repository.\n"));
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "refs/tags"]) await files.makeFolder(`${gitdir}/${folder}`);
  await repo.refs.attach(branch);
}

export const init: GitCommand = async (run, args) => {
  const options = parseOptions("init", args, ["q quiet", "b initial-branch=", "bare", "template=", "shared=?"]);
  if (options.words.length > 1) fatal("usage: git init [-q] [-b <branch-name>] [<directory>]");
  const files = workFiles(run.shell.fs);
  const top = files.resolve(run.shell.cwd, options.words[0] ?? ".");
  const { project } = run.shell;
  const inProject = top.startsWith(`${project}/`) ? canonicalText(top.slice(project.length + 1)) : "";
  if (inProject === null || inProject === "vibey" || inProject.startsWith("vibey/"))
    fatal("vibey/ holds docs and dialogs; no repository can be in it");
  const shell = { ...run.shell, cwd: top };
  const repo = options.has("bare") ? openBare(shell, top, run.overrides) : openRepository(shell, top, run.overrides);
  const again = (await files.stat(`${repo.gitdir}/HEAD`)) !== null;
  if (!again) {
    const branch = options.value("initial-branch") ?? (await repo.setting("init.defaultbranch")) ?? "main";
    if (!isRefName(branch)) fatal(`invalid initial branch name: '${branch}'`);
    await makeRepository(repo, branch);
  } else if (options.has("initial-branch"))
    run.err(`warning: re-init: ignored --initial-branch=${options.value("initial-branch") ?? ""}\n`);
  if (!options.has("quiet")) run.out(`${again ? "Reinitialized existing" : "Initialized empty"} Git repository in ${repo.gitdir}/\n`);
  return 0;
};
