import { PipError } from "./failure.ts";
import { isMarkerTrue } from "./marker.ts";
import type { Metadata } from "./metadata.ts";
import { normalized, parseRequirement } from "./requirement.ts";
import { isInRange } from "./resolve.ts";
import type { Pip } from "./run.ts";

/** The installed packages, by name. */
export function sorted({ environment }: Pip) {
  return [...environment.installed().values()].toSorted((a, b) => (normalized(a.name) < normalized(b.name) ? -1 : 1));
}

export function list(pip: Pip): number {
  const all = sorted(pip);
  const { call, out } = pip;
  const format = call.values.get("format")?.[0] ?? "columns";
  if (format === "json") out(JSON.stringify(all.map(({ name, version }) => ({ name, version }))));
  else if (format === "freeze") for (const { name, version } of all) out(`${name}==${version}`);
  else if (all.length > 0) {
    const [wide, narrow] = [all.map(({ name }) => name.length), all.map(({ version }) => version.length)].map((lengths) =>
      Math.max(7, ...lengths),
    );
    out(`${"Package".padEnd(wide ?? 7)} Version`);
    out(`${"-".repeat(wide ?? 7)} ${"-".repeat(narrow ?? 7)}`);
    for (const { name, version } of all) out(`${name.padEnd(wide ?? 7)} ${version}`);
  }
  return 0;
}

export function show({ call, environment, out, warn }: Pip): number {
  const all = environment.installed();
  if (call.operands.length === 0) throw new PipError("Please provide a package name or names.");
  let count = 0;
  for (const operand of call.operands) {
    const one = all.get(normalized(operand));
    if (one === undefined) {
      warn(`WARNING: Package(s) not found: ${operand}`);
      continue;
    }
    if (count++ > 0) out("---");
    const needs = (of: Metadata): string[] =>
      of.requires
        .map(parseRequirement)
        .filter(({ marker }) => marker === null || isMarkerTrue(marker, []))
        .map(({ name }) => name);
    const neededBy = [...all.values()].filter((other) => needs(other).includes(normalized(one.name))).map(({ name }) => name);
    out(`Name: ${one.name}`);
    out(`Version: ${one.version}`);
    out(`Summary: ${one.summary}`);
    out(`Home-page: ${one.homePage}`);
    out(`Author: ${one.author}`);
    out(`License: ${one.license}`);
    out(`Location: ${environment.site}`);
    out(`Requires: ${needs(one).toSorted().join(", ")}`);
    out(`Required-by: ${neededBy.toSorted().join(", ")}`);
    if (call.flags.has("files")) {
      out("Files:");
      for (const path of environment.filesOf(one))
        out(
          `  ${path.startsWith(`${environment.site}/`) ? path.slice(environment.site.length + 1) : `../../../bin/${path.slice(environment.bin.length + 1)}`}`,
        );
    }
  }
  return count === 0 ? 1 : 0;
}

export function check(pip: Pip): number {
  const all = pip.environment.installed();
  const problems = sorted(pip).flatMap(({ name, version, requires }) =>
    requires.map(parseRequirement).flatMap((needed): string[] => {
      if (needed.marker !== null && !isMarkerTrue(needed.marker, [])) return [];
      const there = all.get(needed.name);
      if (there === undefined) return [`${name} ${version} requires ${needed.name}, which is not installed.`];
      return isInRange(there.version, needed.versions)
        ? []
        : [`${name} ${version} has requirement ${needed.text}, but you have ${there.name} ${there.version}.`];
    }),
  );
  for (const problem of problems) pip.out(problem);
  if (problems.length === 0) pip.out("No broken requirements found.");
  return problems.length === 0 ? 0 : 1;
}
