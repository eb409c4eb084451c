import { namesOf, readManifest } from "../manifest.ts";
import { NpmError } from "../failure.ts";
import { isSilent, needPackage, type Npm } from "../npm.ts";
import { readJson } from "../project/json-file.ts";
import { listWorkspaces, type Workspace } from "../project/workspaces.ts";
import { idOf, list, run, runIn } from "./run.ts";

/** `npm run`, `npm test`, `npm start` and similar commands, in the project or in its workspaces. */
export async function runAll(npm: Npm, name: string | undefined, args: readonly string[]): Promise<number> {
  if (!npm.inWorkspaces) return run(npm, name, args);
  const chosen = chosenWorkspaces(npm);
  if (name === undefined) {
    listAll(npm, chosen);
    return 0;
  }
  let exitCode = 0;
  for (const { folder } of chosen) {
    const own = needPackage({ ...npm, prefix: folder });
    const failure = await runIn({ ...npm, prefix: folder }, own, name, args);
    if (failure === null) continue;
    exitCode = failure.exitCode;
    if (isSilent(npm)) continue;
    const place = [`workspace ${idOf(own)}`, `location ${folder}`];
    npm.error(null, [
      `Lifecycle script \`${name}\` failed with error:`,
      ...(failure.command === null
        ? [...place, ...failure.lines]
        : [`code ${failure.exitCode}`, `path ${folder}`, ...place, "command failed", `command sh -c ${failure.command}`]),
    ]);
    if (folder !== chosen.at(-1)?.folder) npm.blankError();
  }
  return exitCode;
}

/** The workspaces of `-w` (a name, a folder, or the folder above) or all of them. */
function chosenWorkspaces({ host, config, context, root }: Npm): readonly Workspace[] {
  const all = listWorkspaces(host.files, root);
  const from = context.cwd === root || context.cwd.startsWith(`${root}/`) ? context.cwd : root;
  const wanted = config.list("workspace");
  const fits = (word: string, { name, folder }: Workspace): boolean => {
    const places = [from, root].map((base) => context.fs.resolvePath(base, word));
    return name === word || folder === places[0] || places.includes(folder.slice(0, folder.lastIndexOf("/")));
  };
  const chosen = wanted.length === 0 ? all : wanted.flatMap((word) => all.filter((each) => fits(word, each)));
  const rootName = readManifest(readJson(host.files, `${root === "/" ? "" : root}/package.json`)?.value).name ?? "";
  const result = new Map(
    [...(config.flag("include-workspace-root") ? [{ name: rootName, folder: root }] : []), ...chosen].map((each) => [each.folder, each]),
  );
  if (result.size === 0)
    throw new NpmError(
      null,
      wanted.length === 0 ? "No workspaces found!" : ["No workspaces found:", ` ${wanted.map((word) => ` --workspace=${word}`).join("")}`],
    );
  return [...result.values()];
}

function listAll(npm: Npm, chosen: readonly Workspace[]): void {
  const all = chosen.map(({ name, folder }) => {
    const own = needPackage({ ...npm, prefix: folder });
    return { name, folder, own, scripts: namesOf(own.value["scripts"]) };
  });
  if (npm.config.flag("json")) return npm.out(JSON.stringify(Object.fromEntries(all.map(({ name, scripts }) => [name, scripts])), null, 2));
  for (const [i, { folder, own, scripts }] of all.entries()) {
    list({ ...npm, prefix: folder }, own, scripts);
    if (Object.keys(scripts).length > 0 && i < all.length - 1) npm.out("");
  }
  return undefined;
}
