import type { Path } from "../../fs/path.ts";

/** The WebContainer's script, while it is being brought in. */
export const scriptFolder = ".vibey-shell";

/** What of the WebContainer's folder is no part of the project, as patterns of the client's export. */
export const outside: readonly string[] = ["node_modules", "**/node_modules", scriptFolder];

/** Installed packages stay in the WebContainer, and what the project has of them stays in the project; see `installed.ts`. */
export function isOutside(path: Path): boolean {
  return path === scriptFolder || path.startsWith(`${scriptFolder}/`) || /(?:^|\/)node_modules(?:\/|$)/.test(path);
}
