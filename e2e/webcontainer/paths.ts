import { realpath } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";

/** A failure in the container. The message starts with the system's code, as in Node; the client drops all other properties. */
export const failure = (code: string, text: string): Error => Object.assign(new Error(`${code}: ${text}`), { code });

const isInside = (folder: string, path: string) => path === folder || path.startsWith(folder + sep);

async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) throw error;
    return join(await realOf(dirname(path)), relative(dirname(path), path));
  }
}

/**
 * The path on this machine for a path relative to the project's folder, which is also `/`. A path that leaves the folder, by `..` or by a
 * link, fails with EACCES.
 */
export async function pathIn(workdir: string, path: string): Promise<string> {
  const plain = resolve(workdir, `.${sep}${path}`);
  if (plain === workdir) return plain;
  if (!isInside(workdir, plain) || !isInside(workdir, await realOf(dirname(plain)))) {
    throw failure("EACCES", `outside of the container, '${path}'`);
  }
  return plain;
}

/** Like `pathIn`, and if the path ends in a link, the link's target has to be inside, too. */
export async function followedIn(workdir: string, path: string): Promise<string> {
  const plain = await pathIn(workdir, path);
  if (!isInside(workdir, await realOf(plain))) throw failure("EACCES", `outside of the container, '${path}'`);
  return plain;
}
