import type { NetAnswer } from "../../../network.ts";
import { fromBytes } from "../../encoding.ts";
import type { ShellHost } from "../../host.ts";
import { NpmError } from "../failure.ts";
import { isRecord } from "../manifest.ts";
import type { Spec } from "../spec.ts";
import type { Found } from "../tree/build.ts";
import { type Packument, pickVersion } from "./pick.ts";
import { checkIntegrity } from "./integrity.ts";

/** The maximum number of concurrent requests. */
const parallel = 6;
/** Maximum bytes of answers that are cached for the next install while the worker lives; the oldest are dropped first. */
const cacheBytes = 96_000_000;
/** Milliseconds for which a registry's answer about a package's versions stays valid. */
const packumentAge = 300_000;

/** A registry, which caches its answers in memory. */
export interface Registry {
  readonly address: string;
  /** @param full include what only the full description has, such as licenses. */
  packument(name: string, full: boolean): Promise<Packument | NpmError>;
  find(spec: Spec, full: boolean): Promise<Found | NpmError>;
  /** A package's archive, unchanged, with its integrity checked. */
  tarball(name: string, address: string, integrity: string | null): Promise<Uint8Array | NpmError>;
}

export interface RegistryOptions {
  readonly host: Pick<ShellHost, "fetch" | "stop">;
  /** With a trailing slash. */
  readonly address: string;
  /** The registries of scopes: `@scope` to address. */
  readonly scopes: ReadonlyMap<string, string>;
  readonly now: () => number;
}

interface Kept {
  readonly bytes: Uint8Array;
  readonly at: number;
}

const kept = new Map<string, Kept>();
let keptBytes = 0;

function keep(key: string, bytes: Uint8Array, at: number): void {
  keptBytes += bytes.length - (kept.get(key)?.bytes.length ?? 0);
  kept.delete(key);
  kept.set(key, { bytes, at });
  for (const [oldest, { bytes: gone }] of kept) {
    if (keptBytes <= cacheBytes) break;
    kept.delete(oldest);
    keptBytes -= gone.length;
  }
}

/** For tests: clears the cache. */
export function forgetAnswers(): void {
  kept.clear();
  keptBytes = 0;
}

export function createRegistry({ host, address, scopes, now }: RegistryOptions): Registry {
  const packuments = new Map<string, Promise<Packument | NpmError>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function get(url: string, accept: string): Promise<Uint8Array | NpmError> {
    if (running >= parallel) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      if (host.stop() !== null) return new NpmError(null, "stopped before everything was there; nothing was changed");
      return readAnswer(
        await host.fetch({ url, method: "GET", headers: [["accept", accept]], body: null, program: "npm", follow: true }),
        url,
      );
    } finally {
      running--;
      waiting.shift()?.();
    }
  }

  async function load(name: string, full: boolean): Promise<Packument | NpmError> {
    const base = scopes.get(name.split("/")[0] ?? "") ?? address;
    const url = `${base}${name.replace("/", "%2f")}`;
    const key = `${full ? "full" : "short"} ${url}`;
    const known = kept.get(key);
    const fresh = known !== undefined && now() - known.at < packumentAge;
    const bytes = fresh
      ? known.bytes
      : await get(url, full ? "application/json" : "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*");
    if (bytes instanceof Error) return bytes;
    const read = readPackument(name, bytes);
    if (!(read instanceof Error) && !fresh) keep(key, bytes, now());
    return read;
  }

  function packument(name: string, full: boolean): Promise<Packument | NpmError> {
    const key = `${full ? "full" : "short"} ${name}`;
    const known = packuments.get(key);
    if (known !== undefined) return known;
    const asked = load(name, full);
    packuments.set(key, asked);
    return asked;
  }

  return {
    address,
    packument,
    async find(spec, full) {
      if (spec.type === "refused") return new NpmError("EUNSUPPORTEDPROTOCOL", spec.why);
      const known = await packument(spec.name, full);
      if (known instanceof Error) return known;
      const pkg = pickVersion(known, spec);
      if (pkg instanceof Error) return pkg;
      const { tarball, integrity } = pkg.dist;
      const resolved = tarball === null ? null : sameScheme(tarball, address);
      return { pkg, resolved, integrity };
    },
    async tarball(name, url, integrity) {
      const known = integrity === null ? undefined : kept.get(integrity);
      if (known !== undefined) return known.bytes;
      const bytes = await get(url, "*/*");
      if (bytes instanceof Error) return bytes;
      const why = integrity === null ? null : await checkIntegrity(bytes, integrity);
      if (why !== null) {
        return new NpmError("EINTEGRITY", [
          `Verification failed while extracting ${name}:`,
          `${integrity} integrity checksum failed when using ${why.algorithm}: wanted ${integrity} but got ${why.got}. (${bytes.length} bytes)`,
        ]);
      }
      if (integrity !== null) keep(integrity, bytes, now());
      return bytes;
    },
  };
}

/** Some registries give http addresses for their archives although they were requested over https. */
function sameScheme(url: string, registry: string): string {
  return registry.startsWith("https:") && url.startsWith("http:") && URL.canParse(url) && new URL(url).host === new URL(registry).host
    ? url.replace(/^http:/, "https:")
    : url;
}

function readAnswer(answer: NetAnswer, url: string): Uint8Array | NpmError {
  switch (answer.kind) {
    case "refused":
      return new NpmError("EREFUSED", `request to ${url} was refused: ${answer.why}`);
    case "failed":
      return new NpmError("ENETWORK", [`network request to ${url} failed, reason: ${answer.why}`, "network Nothing was changed."]);
    case "answer":
      if (answer.status === 200) return answer.body;
      return new NpmError(`E${answer.status}`, `${answer.status} ${answer.statusText} - GET ${url}`.replace("  ", " "));
  }
}

function readPackument(name: string, bytes: Uint8Array): Packument | NpmError {
  let raw: unknown;
  try {
    raw = JSON.parse(fromBytes(bytes, undefined));
  } catch (error) {
    return new NpmError(
      "EJSONPARSE",
      `the registry's answer for ${name} is no JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (!isRecord(raw) || !isRecord(raw["versions"]))
    return new NpmError("EJSONPARSE", `the registry's answer for ${name} lists no versions`);
  const tags = isRecord(raw["dist-tags"]) ? raw["dist-tags"] : {};
  return {
    name,
    tags: new Map(Object.entries(tags).flatMap(([tag, version]) => (typeof version === "string" ? [[tag, version] as const] : []))),
    versions: new Map(Object.entries(raw["versions"])),
    raw,
  };
}
