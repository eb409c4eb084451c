import { accessSync, constants } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { execFileSync } from "node:child_process";

/** What a container takes from its machine: programs and npm's settings, nothing else. */

/** The programs of a real container's shell that are files. It has no grep, sed, awk, find, xargs, tar and git. */
const programs =
  "cat chmod cp curl echo env false getconf head hostname jq kill ln ls mkdir mv ps pwd rm rmdir sort tail touch true uptime which xxd".split(
    " ",
  );

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (["ENOENT", "EACCES", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

/** The program's file in the folders of a PATH, or null. */
export function findProgram(name: string, path: string = process.env["PATH"] ?? ""): string | null {
  const folders = path.split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

export function needProgram(name: string): string {
  const found = findProgram(name);
  if (found === null) throw new Error(`The stand-in of WebContainer needs the program '${name}' on the PATH`);
  return found;
}

/** Python's real executable. The name on the PATH may be a script that finds Python with programs that a container lacks. */
function findPython(): string | null {
  const found = findProgram("python3");
  return found && execFileSync(found, ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();
}

const places: Map<string, string> = new Map();

/** The path of each of the container's programs. */
function placesOf(): Map<string, string> {
  if (places.size > 0) return places;
  const beside = (name: string) => findProgram(name, `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`);
  const found: [string, string | null][] = [
    ...programs.map((name): [string, string | null] => [name, findProgram(name)]),
    ["node", process.execPath],
    ["npm", beside("npm")],
    ["npx", beside("npx")],
    ["python3", findPython()],
    ["jsh", needProgram("bash")],
  ];
  for (const [name, place] of found) if (place !== null) places.set(name, place);
  return places;
}

/** Creates the folder that is a container's whole PATH. */
export async function makePrograms(folder: string): Promise<void> {
  await mkdir(folder);
  for (const [name, place] of placesOf()) {
    // Python finds its library by the path with which it was started, so a link won't do.
    if (name === "python3") await writeFile(join(folder, name), `#!/bin/sh\nexec '${place}' "$@"\n`, { mode: 0o755 });
    else await symlink(place, join(folder, name));
  }
}

/**
 * npm's settings for the source of packages. npm prefers its cache, so that a package fetched once needs no network.
 * @param logs the folder of its logs
 */
export function npmSettings(logs: string): Record<string, string> {
  const own = ["registry", "cache", "userconfig", "globalconfig", "cafile", "offline", "proxy", "https_proxy", "noproxy"];
  const set = own.flatMap((name) => {
    const value = process.env[`npm_config_${name}`] ?? process.env[`NPM_CONFIG_${name.toUpperCase()}`];
    return value === undefined ? [] : [[`npm_config_${name}`, value]];
  });
  const passed = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return {
    npm_config_cache: join(homedir(), ".npm"),
    npm_config_userconfig: join(homedir(), ".npmrc"),
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
    npm_config_logs_dir: logs,
    ...Object.fromEntries([...set, ...passed]),
  };
}
