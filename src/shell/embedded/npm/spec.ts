import semver from "semver";

/** The version that a dependency requests from a registry. */
export type RegistrySpec =
  | { readonly type: "version" | "range"; readonly fetch: string }
  | { readonly type: "tag"; readonly fetch: string }
  /** No registry has it; `why` is a sentence. */
  | { readonly type: "refused"; readonly why: string };

/** `name`: the package's name in the registry. With an alias (`npm:other@1`) it differs from the name it is installed as. */
export type Spec = RegistrySpec & { readonly name: string; readonly alias: boolean };

const packageName = /^(?:@[^/@\s%]+\/)?[^/@\s%:]+$/;

/** Splits `name@spec` from a command line. `name` null: there is only a spec, such as a folder or an address. */
export function splitSpec(given: string): { readonly name: string | null; readonly spec: string } {
  const at = given.indexOf("@", 1);
  const name = at < 0 ? given : given.slice(0, at);
  if (!packageName.test(name) || /^[.~]/.test(name) || /\.(?:tgz|tar\.gz|tar)$/i.test(name)) return { name: null, spec: given };
  return { name, spec: at < 0 ? "" : given.slice(at + 1) };
}

/** @param text the value in package.json; "" is any version. */
export function parseSpec(name: string, text: string): Spec {
  const spec = text.trim();
  if (spec.startsWith("npm:")) {
    const sub = splitSpec(spec.slice(4));
    if (sub.name === null) return { type: "refused", why: `"${text}" names no package`, name, alias: true };
    const inner = registrySpec(sub.spec, `${name}@${text}`);
    return { ...inner, name: sub.name, alias: true };
  }
  return { ...registrySpec(spec, `${name}@${text}`), name, alias: false };
}

function registrySpec(spec: string, whole: string): RegistrySpec {
  if (spec === "" || spec === "*") return { type: "range", fetch: "*" };
  const version = semver.valid(spec, true);
  if (version !== null) return { type: "version", fetch: spec };
  if (semver.validRange(spec, true) !== null) return { type: "range", fetch: spec };
  const why = whyRefused(spec);
  if (why !== null) return { type: "refused", why: `${whole}: ${why}` };
  if (encodeURIComponent(spec) !== spec) return { type: "refused", why: `Invalid tag name "${spec}" of package "${whole}"` };
  return { type: "tag", fetch: spec };
}

function whyRefused(spec: string): string | null {
  if (/^(?:file|link|portal):/.test(spec) || /^(?:[.~]?\/|\.)/.test(spec) || /\.(?:tgz|tar\.gz|tar)$/i.test(spec)) {
    return /^https?:/.test(spec)
      ? "packages come from the registry only, not from other addresses"
      : "folders and local archives can't be installed here, because there are no links";
  }
  if (spec.startsWith("workspace:")) return 'Unsupported URL Type "workspace:"';
  if (/^git[+:@]|^(?:github|gitlab|bitbucket|gist):|^[^@:/\s]+\/[^@:/\s]+(?:#.*)?$/.test(spec))
    return "packages can't be installed from git here; take a version from the registry";
  if (/^[a-z+]+:/i.test(spec)) return "packages come from the registry only, not from other addresses";
  return null;
}

/** Whether an installed version satisfies the spec. */
export function satisfiesSpec(
  found: { readonly version: string; readonly packageName: string; readonly resolved: string | null },
  spec: Spec,
): boolean {
  if (spec.alias && found.packageName !== spec.name) return false;
  switch (spec.type) {
    case "range":
      return spec.fetch === "*" || semver.satisfies(found.version, spec.fetch, true);
    case "version":
      return semver.satisfies(found.version, spec.fetch, true);
    case "tag":
      return found.resolved !== null;
    case "refused":
      return false;
  }
}
