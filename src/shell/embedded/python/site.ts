import { projectFolder } from "../protocol.ts";
import { pythonFolder } from "./version.ts";

/** The absolute path of the environment whose packages programs use: the active one, else the project's `.venv`. */
export function virtualEnvironment(env: Readonly<Record<string, string>>): string {
  const active = env["VIRTUAL_ENV"]?.replace(/\/+$/, "");
  return active !== undefined && /^\/(?:project|tmp)\/./.test(active) ? active : `${projectFolder}/.venv`;
}

/** The folder of the packages that pip installed. It may not exist. */
export function sitePackages(env: Readonly<Record<string, string>>): string {
  return `${virtualEnvironment(env)}/lib/${pythonFolder}/site-packages`;
}
