import semver from "semver";
import { nodeVersion as nodeNumber } from "../../node/version.ts";
import { NpmError } from "../failure.ts";
import { type Manifest, readManifest } from "../manifest.ts";
import type { Spec } from "../spec.ts";

/** All versions of a package that a registry knows. */
export interface Packument {
  readonly name: string;
  readonly tags: ReadonlyMap<string, string>;
  readonly versions: ReadonlyMap<string, unknown>;
  /** The unchanged answer. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** The version of Vibey's `node`, without the `v`, for `engines`. */
export const nodeVersion = nodeNumber.slice(1);
/** Scripts read this number: this npm behaves like that version. */
export const npmVersion = "11.19.1";

export function enginesFit({ engines }: Pick<Manifest, "engines">): boolean {
  const fits = (has: string, wants: string | undefined): boolean =>
    wants === undefined || semver.satisfies(has, wants, { includePrerelease: true });
  return fits(nodeVersion, engines["node"]) && fits(npmVersion, engines["npm"]);
}

/** The version that npm would choose. */
export function pickVersion(packument: Packument, spec: Spec): Manifest | NpmError {
  const version = versionFor(packument, spec);
  const found = version === undefined ? undefined : packument.versions.get(version);
  if (found === undefined) {
    const wanted = `${packument.name}@${spec.type === "refused" ? "" : spec.fetch}`;
    if (packument.versions.size === 0) return new NpmError("ENOVERSIONS", `No versions available for ${packument.name}`);
    return new NpmError("ETARGET", [
      `notarget No matching version found for ${wanted}.`,
      "notarget In most cases you or one of your dependencies are requesting",
      "notarget a package version that doesn't exist.",
    ]);
  }
  return readManifest(found);
}

function versionFor({ tags, versions }: Packument, spec: Spec): string | undefined {
  if (spec.type === "refused") return undefined;
  if (spec.type === "tag") return tags.get(spec.fetch);
  if (spec.type === "version") return semver.clean(spec.fetch, true) ?? undefined;
  const latest = tags.get("latest");
  if (latest !== undefined && (spec.fetch === "*" || semver.satisfies(latest, spec.fetch, true))) {
    const manifest = readManifest(versions.get(latest));
    if (versions.has(latest) && enginesFit(manifest) && manifest.deprecated === null) return latest;
  }
  // A version that runs here and is not deprecated wins over a newer one for which that isn't true.
  let best: { readonly version: string; readonly rank: number } | null = null;
  for (const version of versions.keys()) {
    if (!semver.satisfies(version, spec.fetch, true)) continue;
    const manifest = readManifest(versions.get(version));
    const engines = enginesFit(manifest);
    const current = manifest.deprecated === null;
    const rank = (engines && current ? 4 : 0) + (engines ? 2 : 0) + (current ? 1 : 0);
    if (best === null || rank > best.rank || (rank === best.rank && semver.gt(version, best.version, true))) best = { version, rank };
  }
  return best?.version;
}
