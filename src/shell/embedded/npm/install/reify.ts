import { fromBytes } from "../../encoding.ts";
import { NpmError } from "../failure.ts";
import { isRecord, readManifest } from "../manifest.ts";
import { duration, type Npm } from "../npm.ts";
import { readActual } from "../project/actual.ts";
import { defaultLayout, type JsonFile, writeText } from "../project/json-file.ts";
import { addBundled, hiddenLockText, type LockEntry, lockText, readLock } from "../project/lock-file.ts";
import { type PackageFiles, unpackPackage } from "../registry/archive.ts";
import type { PackageNode } from "../tree/node.ts";
import { markFlags } from "../tree/flags.ts";
import { optionalSet } from "../tree/sets.ts";
import { isReplaced, withCounterpart } from "./counterparts.ts";
import { programFiles, writeBins } from "./bins.ts";
import { projectName } from "./ideal.ts";
import { hasInstallScript, nativeReason } from "./platform.ts";
import { checkPaths, removePackage, writePackage } from "./write.ts";

/** Maximum bytes, unpacked, of all packages that one command installs. */
const installBytes = 500_000_000;

export interface ReifyOptions {
  readonly root: PackageNode;
  /** The lock file's layout, and its path if it exists; null if there is none. */
  readonly lock: JsonFile | null;
  /** `ci`: ignore and remove what is in node_modules. */
  readonly clean: boolean;
  readonly saveLock: boolean;
  /** Called when everything was fetched and before anything is written. Returns the new text of package.json, or null to keep it. */
  readonly packageText: () => { readonly path: string; readonly text: string } | null;
}

interface Job {
  readonly node: PackageNode;
  readonly changed: boolean;
  files: PackageFiles | null;
}

/** Makes node_modules match the tree. All archives are fetched and checked first; then everything is written at once. */
export async function reify(npm: Npm, { root, lock, clean, saveLock, packageText }: ReifyOptions): Promise<void> {
  const { files } = npm.host;
  const actual = clean ? new Map<string, LockEntry>() : readActual(files, npm.prefix);
  const omitted = omittedKinds(npm);
  const wanted = root.descendants().filter((node) => node !== root && !node.inert && !omits(node, omitted));
  const jobs = wanted.flatMap((node): Job[] => {
    const there = actual.get(node.location);
    return node.inBundle || (there !== undefined && isSame(there, node)) ? [] : [{ node, changed: there !== undefined, files: null }];
  });
  const stay = new Set(wanted.map((node) => node.location));
  const removed = [...actual.keys()].filter((location) => !stay.has(location) && !comesBundled(root, location));
  const lockOnly = npm.config.flag("package-lock-only");
  const dry = npm.config.flag("dry-run");

  if (!lockOnly && !dry) await fetchAll(npm, jobs);
  const ready = jobs.filter(({ node }) => !node.inert);
  for (const { node, files: content } of ready) if (content !== null) checkPaths(`${npm.prefix}/${node.location}`, node.name, content);
  if (!lockOnly && !dry) await files.load(programFiles(npm.prefix, root));
  npm.checkpoint();
  // Packages that were not fetched now get their description from where they are.
  const locked = lock === null ? null : readLock(lock);
  for (const node of root.descendants()) {
    const known = actual.get(node.location) ?? locked?.get(node.location);
    if (node !== root && known?.["version"] === node.version) complete(node, known);
  }
  markFlags(root);

  if (!lockOnly && !dry) {
    if (clean && files.stat(`${npm.prefix}/node_modules`)?.kind === "folder") files.removeFolder(`${npm.prefix}/node_modules`, true);
    for (const location of removed) removePackage(files, `${npm.prefix}/${location}`);
    for (const { node, files: content } of ready) if (content !== null) writePackage(files, `${npm.prefix}/${node.location}`, content);
    if (npm.config.flag("bin-links")) writeBins(files, npm.prefix, root, (line) => npm.warn(line));
    const folder = `${npm.prefix}/node_modules`;
    if (wanted.length > 0) writeText(files, `${folder}/.package-lock.json`, hiddenLockText(root, projectName(npm)));
    else if (files.stat(folder)?.kind === "folder" && files.list(folder).every(({ name }) => name.startsWith(".")))
      files.removeFolder(folder, true);
  }
  if (!dry) {
    const layout = lock ?? defaultLayout;
    if (saveLock && npm.config.flag("package-lock"))
      writeText(files, lock?.path ?? `${npm.prefix}/package-lock.json`, lockText(root, layout, projectName(npm)));
    const text = packageText();
    if (text !== null) writeText(files, text.path, text.text);
  }
  report(npm, ready, removed, dry);
}

/** The kinds of dependencies that are left out. */
function omittedKinds({ config, context }: Npm): ReadonlySet<string> {
  const omit = new Set(config.list("omit"));
  const production =
    config.flag("production") || config.text("only")?.startsWith("prod") === true || context.env.get("NODE_ENV") === "production";
  if (production) omit.add("dev");
  for (const kind of config.list("include")) omit.delete(kind);
  return omit;
}

function omits(node: PackageNode, kinds: ReadonlySet<string>): boolean {
  const has = (kind: string): boolean => kinds.has(kind);
  return (
    (node.peer && has("peer")) ||
    (node.dev && has("dev")) ||
    (node.optional && has("optional")) ||
    (node.devOptional && has("optional") && has("dev"))
  );
}

function isSame(there: LockEntry, node: PackageNode): boolean {
  if (there["version"] !== node.version || (there["name"] ?? node.name) !== node.packageName) return false;
  return there["integrity"] === undefined || node.integrity === null || there["integrity"] === node.integrity;
}

/** Whether the folder is bundled in a package that stays. */
function comesBundled(root: PackageNode, location: string): boolean {
  let node: PackageNode = root;
  for (const name of location.split(/\/?node_modules\//).slice(1)) {
    const next = node.children.get(name);
    if (next === undefined) return node !== root && node.pkg.bundled.length > 0;
    node = next;
  }
  return false;
}

async function fetchAll(npm: Npm, jobs: readonly Job[]): Promise<void> {
  let done = 0;
  let bytes = 0;
  const failures: NpmError[] = [];
  await Promise.all(
    jobs.map(async (job) => {
      const content = await fetchOne(npm, job.node);
      npm.host.show({ stream: "progress", text: `npm: ${++done} of ${jobs.length} packages` });
      if (content instanceof Error) {
        if (!job.node.optional) failures.push(content);
        else {
          npm.warn(`optional ${job.node.name}@${job.node.version} is left out: ${content.lines[0]}`);
          for (const node of optionalSet(job.node)) node.inert = true;
        }
        return;
      }
      for (const file of content.values()) bytes += file.length;
      if (bytes > installBytes)
        failures.push(
          new NpmError(
            "EINSTALLSIZE",
            `the packages have more than ${installBytes} bytes, which is the limit of one install; nothing was changed`,
          ),
        );
      else job.files = content;
    }),
  );
  const [failure] = failures;
  if (failure) throw failure;
  warnOf(npm, jobs);
}

async function fetchOne(npm: Npm, node: PackageNode): Promise<PackageFiles | NpmError> {
  const { resolved, name, version } = node;
  if (resolved === null) return addressMissing(npm, node);
  if (!/^https?:/.test(resolved))
    return new NpmError("EUNSUPPORTEDPROTOCOL", `${name}@${version}: packages come from the registry only, not from ${resolved}`);
  const packed = await npm.registry.tarball(`${name}@${version}`, resolved, node.integrity);
  if (packed instanceof Error) return packed;
  const files = await unpackPackage(`${name}@${version}`, packed);
  if (files instanceof Error) return files;
  const own = completed(node, files);
  return own instanceof Error ? own : withCounterpart(npm, node, own);
}

/** Some lock files omit addresses; the registry knows them. */
async function addressMissing(npm: Npm, node: PackageNode): Promise<PackageFiles | NpmError> {
  const found = await npm.registry.find({ type: "version", fetch: node.version, name: node.packageName, alias: false }, false);
  if (found instanceof Error) return found;
  if (found.resolved === null)
    return new NpmError("EINVALIDPACKAGE", `the registry names no archive for ${node.packageName}@${node.version}`);
  node.resolved = found.resolved;
  node.integrity ??= found.integrity;
  return fetchOne(npm, node);
}

/** Adds what the registry's short description omits, from the package itself. */
function completed(node: PackageNode, files: PackageFiles): PackageFiles | NpmError {
  const own = json(files.get("package.json"));
  if (!isRecord(own)) return new NpmError("EJSONPARSE", `${node.name}: its package.json is no JSON`);
  complete(node, own);
  node.pkg = { ...node.pkg, scripts: readManifest(own).scripts };
  if (node.pkg.bundled.length > 0) addBundled(node, files.keys(), (path) => json(files.get(path)));
  return files;
}

function complete(node: PackageNode, own: LockEntry): void {
  const { pkg } = node;
  const add = (key: string): Record<string, unknown> => (pkg.raw[key] === undefined && own[key] !== undefined ? { [key]: own[key] } : {});
  node.pkg = { ...pkg, raw: { ...pkg.raw, ...add("license"), ...add("funding") } };
}

/** undefined: the bytes are not JSON. */
function json(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(fromBytes(bytes ?? new Uint8Array(), undefined).replace(/^\uFEFF/, ""));
  } catch {
    // The result is undefined.
    return undefined;
  }
}

function warnOf(npm: Npm, jobs: readonly Job[]): void {
  const scripted: string[] = [];
  for (const { node, files } of jobs) {
    if (files === null || node.inert) continue;
    const id = `${node.packageName}@${node.version}`;
    if (node.pkg.deprecated !== null) npm.warn(`deprecated ${id}: ${node.pkg.deprecated}`);
    // Its script would fetch the native part.
    if (isReplaced(node, files)) continue;
    const why = nativeReason(node, files);
    if (why !== null) npm.warn(`native ${id} will not run here: ${why}`);
    if (hasInstallScript(files, { scripts: node.pkg.scripts })) scripted.push(id);
  }
  if (scripted.length > 0) npm.warn(`install-scripts install scripts are not run here: ${scripted.join(", ")}`);
}

function report(npm: Npm, jobs: readonly Job[], removed: readonly string[], dry: boolean): void {
  if (npm.config.flag("silent") || npm.config.text("loglevel") === "silent") return;
  const added = jobs.filter(({ changed }) => !changed);
  const changed = jobs.length - added.length;
  if (npm.config.flag("json")) {
    npm.out(JSON.stringify({ added: added.length, removed: removed.length, changed }, null, 2));
    return;
  }
  if (dry) for (const { node, changed: replaces } of jobs) npm.out(`${replaces ? "change" : "add"} ${node.name} ${node.version}`);
  const packages = (n: number): string => `${n} package${n === 1 ? "" : "s"}`;
  let text = "";
  if (added.length > 0) text += `added ${packages(added.length)}`;
  if (removed.length > 0) text += `${text === "" ? "" : changed > 0 ? ", " : ", and "}removed ${packages(removed.length)}`;
  if (changed > 0) text += `${text === "" ? "" : ", and "}changed ${packages(changed)}`;
  npm.out(`\n${text === "" ? "up to date" : text} in ${duration(npm.now() - npm.started)}`);
}
