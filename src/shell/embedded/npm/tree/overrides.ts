import semver from "semver";
import { isRecord } from "../manifest.ts";
import { parseSpec, splitSpec } from "../spec.ts";

/**
 * A level of package.json's `overrides`: the rules that apply below a package, in addition to those above it. A rule for a name replaces the range
 * that any package below requests. `parent` null: the level of the project itself.
 */
export interface OverrideSet {
  readonly parent: OverrideSet | null;
  readonly name: string;
  /** The versions that the rule applies to. */
  readonly keySpec: string;
  /** The replacement range. `$name`: the range that the project itself requests for that name. */
  readonly value: string;
  readonly children: readonly OverrideSet[];
}

/** Null: there are no overrides. */
export function readOverrides(value: unknown): OverrideSet | null {
  if (!isRecord(value) || Object.keys(value).length === 0) return null;
  const root = { parent: null, name: "", keySpec: "", value: "", children: new Array<OverrideSet>() };
  root.children.push(...childrenOf(value, root));
  return root;
}

function childrenOf(value: Readonly<Record<string, unknown>>, parent: OverrideSet): OverrideSet[] {
  return Object.entries(value).flatMap(([key, given]) => {
    const { name, spec } = splitSpec(key);
    if (key === "." || name === null) return [];
    const keySpec = spec === "" ? "*" : spec;
    const inner = isRecord(given) ? given : { ".": given };
    const own = typeof inner["."] === "string" ? inner["."] || "*" : keySpec;
    const set = { parent, name, keySpec, value: own, children: new Array<OverrideSet>() };
    set.children.push(...childrenOf(inner, set));
    return [set];
  });
}

/** Yields the nearest rules first. */
function* ruleset(set: OverrideSet): Generator<OverrideSet> {
  const seen = new Set<string>();
  for (let level: OverrideSet | null = set; level !== null; level = level.parent) {
    for (const rule of level.parent === null ? level.children : [...level.children, level]) {
      const key = `${rule.name}@${rule.keySpec}`;
      if (!seen.has(key)) yield rule;
      seen.add(key);
    }
  }
}

/** The rule for a dependency: its own rule, else the rules of the package that depends on it. */
export function ruleFor(set: OverrideSet, name: string, asked: string): OverrideSet {
  for (const rule of ruleset(set)) {
    if (rule.name !== name) continue;
    if (rule.keySpec === "*") return rule;
    const spec = parseSpec(name, asked);
    if (spec.type !== "range" && spec.type !== "version") return rule;
    if (semver.validRange(rule.keySpec, true) === null || semver.intersects(spec.fetch, rule.keySpec, true)) return rule;
  }
  return set;
}

/** The inner one of two rules for the same package; null if neither is inside the other. */
export function furtherIn(one: OverrideSet, other: OverrideSet): OverrideSet | null {
  for (let up: OverrideSet | null = other; up !== null; up = up.parent) if (up === one) return other;
  for (let up: OverrideSet | null = one; up !== null; up = up.parent) if (up === other) return one;
  return null;
}
