import { compare, rcompare, satisfies, valid, validRange } from "@renovatebot/pep440";
import { pythonVersion } from "../python/version.ts";
import { PipError } from "./failure.ts";
import type { IndexedWheel, PackageIndex } from "./index-client.ts";
import { isMarkerTrue } from "./marker.ts";
import type { Metadata } from "./metadata.ts";
import { normalized, parseRequirement, type Requirement } from "./requirement.ts";

export interface ResolveOptions {
  readonly index: PackageIndex;
  /** The installed packages, by name. One that satisfies is kept. */
  readonly installed: ReadonlyMap<string, Metadata>;
  /** Names that must get the newest suitable version, whatever is installed. */
  readonly upgrades: ReadonlySet<string>;
  readonly withDependencies: boolean;
  /** The allowed versions of a package if it is needed. A constraint alone does not make it needed. */
  readonly constraints: readonly Requirement[];
  /** Hashes (`sha256:…`), by name; a wheel must have one of them. */
  readonly hashes: ReadonlyMap<string, readonly string[]>;
  readonly allowPrereleases: boolean;
  metadataOf(wheel: IndexedWheel): Promise<Metadata>;
}

export interface Resolved {
  readonly name: string;
  readonly version: string;
  /** Null: it is already installed. */
  readonly wheel: IndexedWheel | null;
}

/** The maximum number of rounds. In each round, a chosen version may turn out to conflict with another package. */
const mostRounds = 100;

interface Asked extends Requirement {
  readonly by: string | null;
}

interface Choice {
  readonly version: string;
  readonly wheel: IndexedWheel | null;
  readonly metadata: Metadata;
}

/**
 * Chooses a version of each needed package: the newest suitable one. If a later requirement rejects it, the next round takes that into account.
 * Unlike pip at times, it never gives up a suitable version for the sake of another package.
 *
 * @throws PipError if no version satisfies everyone
 */
export async function resolve(roots: readonly Requirement[], options: ResolveOptions): Promise<readonly Resolved[]> {
  let picks: ReadonlyMap<string, Choice> = new Map();
  for (let round = 0; round < mostRounds; round += 1) {
    const asked = reach(roots, picks, options);
    const next = new Map<string, Choice>();
    for (const [name, by] of asked) {
      const known = picks.get(name);
      next.set(name, known !== undefined && fits(known.version, by, options) ? known : await choose(name, by, options));
    }
    const isSettled = next.size === picks.size && [...next].every(([name, { version }]) => picks.get(name)?.version === version);
    picks = next;
    if (isSettled) {
      return [...asked.keys()].flatMap((name): Resolved[] => {
        const pick = next.get(name);
        return pick ? [{ name, version: pick.version, wheel: pick.wheel }] : [];
      });
    }
  }
  throw new PipError(`the requirements contradict each other: no versions were found in ${mostRounds} rounds that all of them take`);
}

/** The requirements for each package, given the choices so far. */
function reach(roots: readonly Requirement[], picks: ReadonlyMap<string, Choice>, options: ResolveOptions): Map<string, Asked[]> {
  const asked = new Map<string, Asked[]>();
  const seen = new Set<string>();
  const queue: Asked[] = roots.filter(({ marker }) => marker === null || isMarkerTrue(marker, [])).map((root) => ({ ...root, by: null }));
  for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
    const list = asked.get(one.name) ?? [];
    asked.set(one.name, list);
    list.push(one);
    const pick = picks.get(one.name);
    const key = `${one.name} ${one.extras.toSorted().join()}`;
    if (pick === undefined || !options.withDependencies || seen.has(key)) continue;
    seen.add(key);
    for (const text of pick.metadata.requires) {
      const needed = parseRequirement(text);
      if (needed.marker === null || isMarkerTrue(needed.marker, one.extras)) queue.push({ ...needed, by: `${one.name} ${pick.version}` });
    }
  }
  return asked;
}

function fits(version: string, asked: readonly Requirement[], { constraints }: Pick<ResolveOptions, "constraints">): boolean {
  const name = asked[0]?.name;
  return [...asked, ...constraints.filter((each) => each.name === name)].every(({ versions }) => isInRange(version, versions));
}

async function choose(name: string, asked: readonly Asked[], options: ResolveOptions): Promise<Choice> {
  const { index, installed, upgrades, hashes } = options;
  const there = installed.get(name);
  if (there !== undefined && !upgrades.has(name) && fits(there.version, asked, options))
    return { version: there.version, wheel: null, metadata: there };
  const found = await index.find(name);
  const wanted = asked.map(({ text }) => text).join(", ");
  if (found === null || (found.wheels.length === 0 && !found.hasOthers)) {
    throw new PipError(
      `Could not find a version that satisfies the requirement ${wanted} (from versions: none)`,
      `No matching distribution found for ${wanted}`,
    );
  }
  if (found.wheels.length === 0)
    throw new PipError(`${name} has no wheel of pure Python (py3-none-any), and compiled code can't be built or run here`);
  const allowed = hashes.get(name);
  if (hashes.size > 0 && allowed === undefined)
    throw new PipError(`Where some requirements have hashes, all must have one: ${wanted} has none`);
  const usable = found.wheels
    .filter(({ sha256 }) => allowed === undefined || (sha256 !== null && allowed.includes(`sha256:${sha256}`)))
    .filter(({ python }) => isForPython(python))
    .toSorted((a, b) => rcompare(a.version, b.version));
  const fitting = usable.filter(
    ({ version, isYanked }) =>
      fits(version, asked, options) && (!isYanked || asked.some(({ versions }) => /^={2,3}[^,*]+$/.test(versions))),
  );
  const names = asked.some(({ versions }) => /(?:a|b|rc|dev)\d/.test(versions));
  const wheel = (options.allowPrereleases || names ? null : fitting.find(({ version }) => !isPrerelease(version))) ?? fitting[0];
  if (wheel === undefined) {
    const from = [...new Set(usable.map(({ version }) => version))].toReversed().slice(-20);
    const lines = [
      `Could not find a version that satisfies the requirement ${wanted} (from versions: ${from.join(", ") || "none"})`,
      `No matching distribution found for ${wanted}`,
    ];
    const by = asked.flatMap((one) => (one.by === null ? [] : [`${one.by} depends on ${one.text}`]));
    const why = found.hasOthers ? [`Only wheels of pure Python are looked at: compiled code can't be built or run here`] : [];
    throw new PipError(...lines, ...by, ...why);
  }
  const metadata = await options.metadataOf(wheel);
  if (normalized(metadata.name) !== name) throw new PipError(`${wheel.filename} is a wheel of ${metadata.name}, not of ${name}`);
  if (compare(metadata.version, wheel.version) !== 0) throw new PipError(`${wheel.filename} says that it is version ${metadata.version}`);
  return { version: wheel.version, wheel, metadata };
}

function isPrerelease(version: string): boolean {
  return valid(version) !== null && /(?:a|b|c|rc|alpha|beta|pre|preview|dev)[-_.]?\d*/i.test(version.split("+")[0] ?? "");
}

/** Whether a wheel supports this Python. Some old packages state an invalid range, such as `>=3.6.*`, which is ignored. */
function isForPython(range: string | null): boolean {
  return range === null || !validRange(range) || satisfies(pythonVersion, range);
}

/** @param versions a range; "": any */
export function isInRange(version: string, versions: string): boolean {
  return versions === "" || (valid(version) !== null && satisfies(version, versions, { prereleases: true }));
}
