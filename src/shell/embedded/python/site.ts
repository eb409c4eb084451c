import { projectFolder } from "../protocol.ts";
import { pythonFolder } from "./version.ts";

/** The environment whose packages programs have: the one that is active, else the project's `.venv`. Absolute. */
export function virtualEnvironment(env: Readonly<Record<string, string>>): string {
  const active = env["VIRTUAL_ENV"]?.replace(/\/+$/, "");
  return active !== undefined && /^\/(?:project|tmp)\/./.test(active) ? active : `${projectFolder}/.venv`;
}

/** The folder with the packages that pip installed. It need not be there. */
export function sitePackages(env: Readonly<Record<string, string>>): string {
  return `${virtualEnvironment(env)}/lib/${pythonFolder}/site-packages`;
}
