export type Names = Readonly<Record<string, string>>;

/** The parts of a package.json that matter here. They are validated, because they come from a registry or were typed by hand. */
export interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies: Names;
  readonly devDependencies: Names;
  readonly optionalDependencies: Names;
  readonly peerDependencies: Names;
  readonly optionalPeers: ReadonlySet<string>;
  /** The dependencies that are bundled in the package. */
  readonly bundled: readonly string[];
  /** Maps a command to a file inside the package, relative to the package's folder. */
  readonly bin: Names;
  readonly engines: Names;
  readonly os: readonly string[];
  readonly cpu: readonly string[];
  readonly libc: readonly string[];
  readonly scripts: Names;
  readonly deprecated: string | null;
  readonly hasInstallScript: boolean;
  readonly dist: { readonly tarball: string | null; readonly integrity: string | null };
  /** The unchanged input, for values that are only passed on. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export function namesOf(value: unknown): Names {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

export function listOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}

export function readManifest(value: unknown): Manifest {
  const raw = isRecord(value) ? value : {};
  const name = textOf(raw["name"]);
  const version = textOf(raw["version"]);
  const optional = namesOf(raw["optionalDependencies"]);
  const dependencies = Object.fromEntries(Object.entries(namesOf(raw["dependencies"])).filter(([each]) => !Object.hasOwn(optional, each)));
  const meta = isRecord(raw["peerDependenciesMeta"]) ? raw["peerDependenciesMeta"] : {};
  const scripts = namesOf(raw["scripts"]);
  const bundle = raw["bundleDependencies"] ?? raw["bundledDependencies"];
  return {
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    dependencies,
    devDependencies: namesOf(raw["devDependencies"]),
    optionalDependencies: optional,
    peerDependencies: namesOf(raw["peerDependencies"]),
    optionalPeers: new Set(Object.entries(meta).flatMap(([each, about]) => (isRecord(about) && about["optional"] === true ? [each] : []))),
    bundled: bundle === true ? Object.keys({ ...dependencies, ...optional }) : listOf(bundle),
    bin: binsOf(name, raw["bin"]),
    engines: namesOf(raw["engines"]),
    os: listOf(raw["os"]),
    cpu: listOf(raw["cpu"]),
    libc: listOf(raw["libc"]),
    scripts,
    deprecated: textOf(raw["deprecated"]) ?? null,
    hasInstallScript:
      raw["hasInstallScript"] === true || ["preinstall", "install", "postinstall"].some((event) => Object.hasOwn(scripts, event)),
    dist: distOf(raw["dist"]),
    raw,
  };
}

function distOf(value: unknown): Manifest["dist"] {
  const dist = isRecord(value) ? value : {};
  const shasum = textOf(dist["shasum"]);
  return {
    tarball: textOf(dist["tarball"]) ?? null,
    integrity: textOf(dist["integrity"]) ?? (shasum !== undefined && /^[0-9a-f]{40}$/.test(shasum) ? `sha1-${hexToBase64(shasum)}` : null),
  };
}

function hexToBase64(hex: string): string {
  return btoa(hex.replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))));
}

/** Whatever the package says, a command's name has no folder, and its file is inside the package. */
function binsOf(name: string | undefined, value: unknown): Names {
  const given = typeof value === "string" ? { [name ?? ""]: value } : namesOf(value);
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, target]) => {
      const command = key.replaceAll(/[\\:]/g, "/").split("/").at(-1) ?? "";
      const file = cleanRelative(target);
      return command === "" || command === "." || command === ".." || file === "" ? [] : [[command, file] as const];
    }),
  );
}

/** Removes "." and empty segments; ".." goes up to the start and no further. */
export function cleanRelative(path: string): string {
  const segments: string[] = [];
  for (const segment of path.replaceAll("\\", "/").split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}
