import { compare, satisfies, valid, validRange } from "@renovatebot/pep440";
import { pythonVersion } from "../python/version.ts";
import { PipError } from "./failure.ts";

/** The values of a marker's variables here: the machine that Pyodide reports. */
const environment: Readonly<Record<string, string>> = {
  os_name: "posix",
  sys_platform: "emscripten",
  platform_machine: "wasm32",
  platform_python_implementation: "CPython",
  platform_release: "",
  platform_system: "Emscripten",
  platform_version: "",
  python_version: pythonVersion.split(".").slice(0, 2).join("."),
  python_full_version: pythonVersion,
  implementation_name: "cpython",
  implementation_version: pythonVersion,
};

/** Variables whose values are compared as versions. */
const versions: ReadonlySet<string> = new Set(["python_version", "python_full_version", "implementation_version"]);

const token = /\s*(?:(\(|\))|(<=|>=|===|==|~=|!=|<|>)|"([^"]*)"|'([^']*)'|([a-z_][a-z0-9_.]*))/iy;

interface Value {
  readonly text: string;
  readonly isVersion: boolean;
}

/**
 * Whether a marker (PEP 508) holds, such as `python_version < "3.11" and extra == "test"`.
 *
 * @param extras the requested extras; the marker is true if it holds for one of them
 * @throws PipError if it is not a valid marker
 */
export function isMarkerTrue(marker: string, extras: readonly string[]): boolean {
  return (extras.length === 0 ? [""] : extras).some((extra) => evaluate(marker, { ...environment, extra }));
}

function evaluate(marker: string, values: Readonly<Record<string, string>>): boolean {
  const tokens: RegExpExecArray[] = [];
  const left = marker.trimEnd();
  token.lastIndex = 0;
  while (token.lastIndex < left.length) {
    const found = token.exec(left);
    if (found === null) throw new PipError(`Invalid marker: ${marker}`);
    tokens.push(found);
  }
  let at = 0;
  const word = (): string | undefined => tokens[at]?.[5]?.toLowerCase();
  const bad = (): never => {
    throw new PipError(`Invalid marker: ${marker}`);
  };

  function value(): Value {
    const found = tokens[at++] ?? bad();
    const [, , , double, single, name] = found;
    const text = double ?? single;
    if (text !== undefined) return { text, isVersion: false };
    const key = name?.replaceAll(".", "_") ?? bad();
    return { text: values[key] ?? bad(), isVersion: versions.has(key) };
  }

  function operator(): string {
    const found = tokens[at++] ?? bad();
    if (found[2] !== undefined) return found[2];
    const name = found[5]?.toLowerCase();
    if (name === "in") return "in";
    if (name === "not" && word() === "in") {
      at += 1;
      return "not in";
    }
    return bad();
  }

  function comparison(): boolean {
    if (tokens[at]?.[1] === "(") {
      at += 1;
      const inner = either();
      return tokens[at++]?.[1] === ")" ? inner : bad();
    }
    const first = value();
    const by = operator();
    return holds(first, by, value());
  }

  // Both sides are always evaluated, because the rest must be a valid marker, too.
  function both(): boolean {
    let result = comparison();
    while (word() === "and") {
      at += 1;
      result = comparison() && result;
    }
    return result;
  }

  function either(): boolean {
    let result = both();
    while (word() === "or") {
      at += 1;
      result = both() || result;
    }
    return result;
  }

  const result = either();
  return at === tokens.length ? result : bad();
}

function holds(first: Value, by: string, second: Value): boolean {
  if (by === "in") return second.text.includes(first.text);
  if (by === "not in") return !second.text.includes(first.text);
  if (first.isVersion && validRange(by + second.text)) return satisfies(first.text, `${by}${second.text}`, { prereleases: true });
  if (first.isVersion && second.text.endsWith(".*")) return holds(first, by, { text: second.text.slice(0, -2), isVersion: false });
  if (second.isVersion && valid(first.text) !== null) return ordered(compare(first.text, second.text), by);
  // Names of extras are compared like package names.
  const [left, right] = [first.text, second.text].map((text) => text.replaceAll(/[-_.]+/g, "-").toLowerCase());
  if (by === "==" || by === "===") return left === right;
  if (by === "!=") return left !== right;
  return ordered(first.text < second.text ? -1 : first.text > second.text ? 1 : 0, by);
}

function ordered(order: number, by: string): boolean {
  switch (by) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
    case "~=":
      return order >= 0;
    case "!=":
      return order !== 0;
    default:
      return order === 0;
  }
}
