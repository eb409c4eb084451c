import { fromBytes, toBytes } from "../../encoding.ts";
import type { Repository } from "../repository.ts";
import { fatal } from "../stop.ts";
import type { ConfigEntry } from "../store/config.ts";

/** The address of a remote repository. */
export interface RemoteUrl {
  /** Without credentials or a trailing slash. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Accepts only addresses that a page can reach: https, and http for a server on this device, which the network layer decides. */
export function remoteUrl(typed: string, config: readonly ConfigEntry[]): RemoteUrl {
  if (/^ssh:\/\/|^git\+ssh:\/\//i.test(typed) || /^[^/:]+@[^/:]+:/.test(typed) || /^[\w.-]+:(?!\/\/|\/)/.test(typed))
    fatal(`${typed}: SSH is not there in a browser; use the repository's https:// address${httpsFor(typed)}`);
  if (!/^https?:\/\//i.test(typed)) {
    const scheme = /^([\w+.-]+):\/\//.exec(typed)?.[1];
    fatal(
      scheme === undefined
        ? `repository '${typed}' does not exist`
        : `'${typed}': Vibey's git has no ${scheme}:; use the repository's https:// address`,
    );
  }
  if (!URL.canParse(typed)) fatal(`unable to access '${typed}': URL using bad/illegal format or missing URL`);
  const parsed = new URL(typed);
  const user =
    parsed.username === "" && parsed.password === ""
      ? null
      : `${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`;
  parsed.username = "";
  parsed.password = "";
  parsed.hash = "";
  parsed.search = "";
  const url = parsed.href.replace(/\/+$/, "");
  const headers: (readonly [string, string])[] = [];
  if (user !== null) headers.push(["Authorization", `Basic ${fromBytes(toBytes(user, undefined), "base64")}`]);
  for (const { key, value } of config) {
    const prefix = /^http\.(?:(.+)\.)?extraheader$/.exec(key);
    if (!prefix || (prefix[1] !== undefined && !covers(prefix[1], url))) continue;
    // An empty value removes the earlier ones.
    if (value === "") headers.splice(user === null ? 0 : 1);
    const [, name = "", content = ""] = /^([^:\s]+):\s*([^]*)$/.exec(value) ?? [];
    if (name !== "") headers.push([name, content]);
  }
  return { url, headers };
}

/** Whether `http.<url>.extraHeader` applies: to the same origin, at or below the configured path. */
function covers(prefix: string, url: string): boolean {
  if (!URL.canParse(prefix)) return false;
  const { origin, pathname } = new URL(prefix);
  return new URL(url).origin === origin && (pathname === "/" || `${new URL(url).pathname}/`.startsWith(`${pathname.replace(/\/$/, "")}/`));
}

function httpsFor(typed: string): string {
  const [, host, path] = /^(?:(?:git\+)?ssh:\/\/)?(?:[^/@]+@)?([\w.-]+)(?::\d+\/|[:/])(.+)$/.exec(typed) ?? [];
  return host === undefined || path === undefined ? "" : `, such as https://${host}/${path.replace(/^\/+/, "")}`;
}

/** The address as it is shown: without credentials. */
export function shownUrl(typed: string): string {
  return typed.replace(/^(https?:\/\/)[^/@]*@/i, "$1");
}

/** The name that git prints after "From": without ".git" and trailing slashes. */
export function sourceName(typed: string): string {
  return shownUrl(typed)
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");
}

export interface Remote {
  /** "origin", or the address if it was given instead of a name. */
  readonly name: string;
  readonly url: string;
  readonly pushUrl: string;
  /** What `fetch` stores where; empty for an address. */
  readonly refspecs: readonly string[];
  /** Whether it is a name in the config. */
  readonly named: boolean;
}

/** Finds the remote with this name, or uses the name as an address. */
export async function findRemote(repo: Repository, name: string): Promise<Remote> {
  const config = await repo.config();
  const values = (key: string): string[] => config.filter((entry) => entry.key === `remote.${name}.${key}`).map((entry) => entry.value);
  const url = values("url")[0];
  if (url !== undefined) return { name, url, pushUrl: values("pushurl")[0] ?? url, refspecs: values("fetch"), named: true };
  if (/[:/]/.test(name)) return { name, url: name, pushUrl: name, refspecs: [], named: false };
  return fatal(
    `'${name}' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.`,
  );
}
