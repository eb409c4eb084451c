import { absolute } from "../commands/files.ts";
import { fromBytes } from "../encoding.ts";
import { projectFolder } from "../protocol.ts";
import { digest } from "./digest.ts";
import { PipError } from "./failure.ts";
import { defaultIndex, type IndexedWheel, packageIndex } from "./index-client.ts";
import { type Metadata, parseMetadata } from "./metadata.ts";
import { type Asked, noEditable, readRequirements } from "./requirements-file.ts";
import { normalized, parseRequirement } from "./requirement.ts";
import { resolve } from "./resolve.ts";
import type { Pip } from "./run.ts";
import { unpackWheel, type Wheel } from "./wheel.ts";

function asked({ call, host, context }: Pip): Asked {
  const into: Asked = { requirements: [], constraints: [], hashes: new Map(), indexUrl: null };
  const read = (path: string): string | null => {
    const at = absolute(context, path);
    return host.files.stat(at)?.kind === "file" ? fromBytes(host.files.read(at), undefined) : null;
  };
  if (call.values.has("editable")) throw new PipError(noEditable);
  for (const operand of call.operands) {
    if (operand === "." || operand.startsWith("./") || operand.startsWith(".[")) throw new PipError(`${operand}: ${noEditable}`);
    into.requirements.push(parseRequirement(operand));
  }
  for (const path of call.values.get("requirement") ?? []) readRequirements(path, "requirement", read, into);
  for (const path of call.values.get("constraint") ?? []) readRequirements(path, "constraint", read, into);
  return into;
}

/** @throws PipError if nothing was installed */
export async function install(pip: Pip): Promise<number> {
  const { call, host, context, environment, out, warn } = pip;
  const wanted = asked(pip);
  if (wanted.requirements.length === 0) throw new PipError('You must give at least one requirement to install (see "pip help install")');
  const named = call.values.get("index-url")?.[0] ?? wanted.indexUrl ?? (context.exportedEnv?.["PIP_INDEX_URL"] || defaultIndex);
  const address = named.replace(/\/+$/, "");
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) throw new PipError(`${address} is no address of an index`);
  const index = packageIndex(host, address);
  const installed = environment.installed();
  const isAgain = call.flags.has("force-reinstall");
  const wheels = new Map<string, Wheel>();
  const fetched = async (wheel: IndexedWheel): Promise<Wheel> => {
    const known = wheels.get(wheel.filename);
    if (known) return known;
    host.show({ stream: "progress", text: `pip fetches ${wheel.filename}…` });
    const bytes = await index.get(wheel.url);
    const got = await digest(bytes, "hex");
    if (wheel.sha256 !== null && got !== wheel.sha256)
      throw new PipError(
        "THESE PACKAGES DO NOT MATCH THE HASHES FROM THE INDEX. Nothing was installed.",
        `    ${wheel.filename}:`,
        `        Expected sha256 ${wheel.sha256}`,
        `             Got        ${got}`,
      );
    const unpacked = await unpackWheel(wheel.filename, bytes);
    if (normalized(unpacked.metadata.name) !== wheel.name)
      throw new PipError(`${wheel.filename} is a wheel of ${unpacked.metadata.name}, not of ${wheel.name}`);
    wheels.set(wheel.filename, unpacked);
    return unpacked;
  };
  const metadataOf = async (wheel: IndexedWheel): Promise<Metadata> => {
    out(`Collecting ${wheel.name}==${wheel.version}`);
    if (wheel.metadata === null) return (await fetched(wheel)).metadata;
    return parseMetadata(fromBytes(await index.get(wheel.metadata), undefined), wheel.filename);
  };
  if (call.flags.has("require-hashes")) {
    const without = wanted.requirements.find(({ name }) => !wanted.hashes.has(name));
    if (without) throw new PipError(`In --require-hashes mode, all requirements must have a hash: ${without.text} has none`);
  }
  const found = await resolve(wanted.requirements, {
    index,
    installed: isAgain ? new Map() : installed,
    upgrades: new Set(call.flags.has("upgrade") ? wanted.requirements.map(({ name }) => name) : []),
    withDependencies: !call.flags.has("no-deps"),
    constraints: wanted.constraints,
    hashes: wanted.hashes,
    allowPrereleases: call.flags.has("pre"),
    metadataOf,
  });
  for (const one of found) {
    if (one.wheel === null) out(`Requirement already satisfied: ${one.name} in ${shown(environment.site)} (${one.version})`);
  }
  const fresh = found
    .flatMap(({ wheel }) => wheel ?? [])
    .filter(({ name, version }) => isAgain || installed.get(name)?.version !== version);
  if (fresh.length === 0) return 0;
  for (const wheel of fresh) {
    const bytes = await fetched(wheel);
    out(`  Downloading ${wheel.filename} (${size([...bytes.files.values()].reduce((sum, { length }) => sum + length, 0))} unpacked)`);
  }
  const names = fresh.map(({ name }) => name).toReversed();
  const list = fresh
    .map(({ name, version }) => `${name}-${version}`)
    .toSorted()
    .join(" ");
  if (call.flags.has("dry-run")) {
    out(`Would install ${list}`);
    return 0;
  }
  out(`Installing collected packages: ${names.join(", ")}`);
  host.show({ stream: "progress", text: "pip writes the packages…" });
  const ready = await Promise.all(fresh.map(fetched));
  const scripts = await environment.install(ready);
  if (scripts.length > 0 && !(pip.context.exportedEnv?.["PATH"] ?? "").split(":").includes(environment.bin)) {
    const programs = scripts.length === 1 ? `script ${scripts[0]} is` : `scripts ${scripts.join(", ")} are`;
    warn(`  WARNING: The ${programs} installed in '${environment.bin}' which is not on PATH.`);
  }
  out(`Successfully installed ${list}`);
  return 0;
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A path relative to the project's folder, as pip shows it. */
function shown(path: string): string {
  return path.startsWith(`${projectFolder}/`) ? `./${path.slice(projectFolder.length + 1)}` : path;
}

/** @throws PipError if a name is invalid */
export function uninstall(pip: Pip): number {
  const { call, environment, out, warn } = pip;
  const names = asked(pip).requirements.map(({ name }) => name);
  if (names.length === 0) throw new PipError('You must give at least one requirement to uninstall (see "pip help uninstall")');
  if (!call.flags.has("yes")) throw new PipError("a command can't ask here whether to proceed; run it with -y");
  for (const name of names) {
    const one = environment.installed().get(name);
    if (one === undefined) {
      warn(`WARNING: Skipping ${name} as it is not installed.`);
      continue;
    }
    out(`Found existing installation: ${one.name} ${one.version}`);
    out(`Uninstalling ${one.name}-${one.version}:`);
    environment.remove(one);
    out(`  Successfully uninstalled ${one.name}-${one.version}`);
  }
  return 0;
}
