import { PipError } from "./failure.ts";
import { parseRequirement, type Requirement } from "./requirement.ts";

/** What requirements files ask for. */
export interface Asked {
  readonly requirements: Requirement[];
  readonly constraints: Requirement[];
  /** Hashes (`sha256:…`), by name; a wheel must have one of them. */
  readonly hashes: Map<string, readonly string[]>;
  /** The file's `--index-url`; null if there is none. */
  indexUrl: string | null;
}

/**
 * Reads a file for `pip install -r`, with the files that it names.
 *
 * @param read returns the text of a file; null: it does not exist
 * @throws PipError
 */
export function readRequirements(
  path: string,
  as: "requirement" | "constraint",
  read: (path: string) => string | null,
  into: Asked,
  depth = 0,
): void {
  const text = read(path);
  if (text === null) throw new PipError(`Could not open requirements file: [Errno 2] No such file or directory: '${path}'`);
  if (depth > 20) throw new PipError(`${path}: files of requirements name each other more than 20 deep`);
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : "";
  const lines = text.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/);
  for (const whole of lines) {
    const line = whole.replace(/(?:^|\s)#.*$/, "").trim();
    if (line === "") continue;
    const option = /^(-r|--requirement|-c|--constraint|-i|--index-url)(?:\s+|=)(\S+)$/.exec(line);
    if (option?.[2] !== undefined) {
      const [, name = "", value] = option;
      if (name === "-i" || name === "--index-url") into.indexUrl = value;
      else
        readRequirements(
          value.startsWith("/") ? value : folder + value,
          name.replace(/^-+/, "").startsWith("r") ? as : "constraint",
          read,
          into,
          depth + 1,
        );
      continue;
    }
    if (/^(?:-e|--editable)\b/.test(line)) throw new PipError(`${path}: ${line}: ${noEditable}`);
    if (line.startsWith("-")) throw new PipError(`${path}: the option ${line.split(/[\s=]/)[0]} is not known here`);
    const [requirement = "", ...options] = line.split(/\s+(?=--)/);
    const parsed = parseRequirement(requirement);
    const hashes = options.map((each) => {
      const hash = /^--hash[= ](sha256:[0-9a-f]{64})$/i.exec(each)?.[1];
      if (hash === undefined) throw new PipError(`${path}: ${each} is not known here; only --hash=sha256:… is`);
      return hash.toLowerCase();
    });
    if (hashes.length > 0) into.hashes.set(parsed.name, [...(into.hashes.get(parsed.name) ?? []), ...hashes]);
    (as === "constraint" ? into.constraints : into.requirements).push(parsed);
  }
}

export const noEditable =
  "a project's own code is not installed here; run Python with PYTHONPATH=. or PYTHONPATH=src, and install what it needs by name";
