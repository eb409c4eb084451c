import type { Path } from "../../fs/path.ts";

/** The folder of the WebContainer's script while it is copied in. */
export const scriptFolder = ".vibey-shell";

/** What is not part of the project in the WebContainer's folder, as patterns for the client's export. */
export const outside: readonly string[] = ["node_modules", "**/node_modules", scriptFolder];

/**
 * Whether the path is outside the project. Installed packages stay in the WebContainer, and those that the project has stay in the project;
 * `install.ts` restores them.
 */
export function isOutside(path: Path): boolean {
  return path === scriptFolder || path.startsWith(`${scriptFolder}/`) || /(?:^|\/)node_modules(?:\/|$)/.test(path);
}
