import { realpath } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";

/** Failures of the container carry the system's code in their message, as Node's own do; the client drops every other property. */
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
 * The path on this machine of one that is given relative to the project's folder; `/` is that folder, too. Whoever climbs out of it, by
 * `..` or by a link, is refused with EACCES.
 */
export async function pathIn(workdir: string, path: string): Promise<string> {
  const plain = resolve(workdir, `.${sep}${path}`);
  if (plain === workdir) return plain;
  if (!isInside(workdir, plain) || !isInside(workdir, await realOf(dirname(plain)))) {
    throw failure("EACCES", `outside of the container, '${path}'`);
  }
  return plain;
}

/** As `pathIn`, and where a link at the path's end leads is inside, too. */
export async function followedIn(workdir: string, path: string): Promise<string> {
  const plain = await pathIn(workdir, path);
  if (!isInside(workdir, await realOf(plain))) throw failure("EACCES", `outside of the container, '${path}'`);
  return plain;
}
