import { PipError } from "./failure.ts";

/** A parsed pip command line. */
export interface PipCall {
  readonly command: string;
  readonly operands: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, readonly string[]>;
}

const letters: Readonly<Record<string, string>> = {
  r: "requirement",
  c: "constraint",
  U: "upgrade",
  q: "quiet",
  v: "verbose",
  y: "yes",
  i: "index-url",
  e: "editable",
  t: "target",
  f: "files",
  o: "outdated",
  h: "help",
  V: "version",
};

const withValue: ReadonlySet<string> = new Set([
  "requirement",
  "constraint",
  "index-url",
  "editable",
  "target",
  "format",
  "timeout",
  "retries",
  "progress-bar",
  "root-user-action",
  "only-binary",
  "cache-dir",
]);

/** Options with an effect, and options that change nothing here. */
const known: ReadonlySet<string> = new Set([
  ...withValue,
  "upgrade",
  "quiet",
  "yes",
  "files",
  "help",
  "version",
  "no-deps",
  "pre",
  "force-reinstall",
  "require-hashes",
  "dry-run",
  "verbose",
  "user",
  "break-system-packages",
  "no-cache-dir",
  "disable-pip-version-check",
  "no-input",
  "no-color",
  "no-warn-script-location",
  "no-compile",
  "compile",
  "prefer-binary",
  "no-build-isolation",
  "isolated",
  "local",
  "all",
]);

/** @throws PipError if an option is unknown */
export function parsePipCall(args: readonly string[]): PipCall {
  const operands: string[] = [];
  const flags = new Set<string>();
  const values = new Map<string, string[]>();
  const queue = [...args];
  const put = (name: string, given: string | undefined, asTyped: string): void => {
    if (!known.has(name)) throw new PipError(`no such option: ${asTyped}`);
    if (!withValue.has(name)) return void flags.add(name);
    const value = given ?? queue.shift();
    if (value === undefined) throw new PipError(`${asTyped} option requires 1 argument`);
    values.set(name, [...(values.get(name) ?? []), value]);
  };
  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    if (arg === "--") {
      operands.push(...queue.splice(0));
    } else if (arg.startsWith("--")) {
      const at = arg.indexOf("=");
      const name = at < 0 ? arg.slice(2) : arg.slice(2, at);
      put(name, at < 0 ? undefined : arg.slice(at + 1), `--${name}`);
    } else if (arg.startsWith("-") && arg.length > 1) {
      for (let at = 1; at < arg.length; at += 1) {
        const letter = arg.charAt(at);
        const name = letters[letter];
        if (name === undefined) throw new PipError(`no such option: -${letter}`);
        const rest = arg.slice(at + 1);
        if (!withValue.has(name)) {
          put(name, undefined, `-${letter}`);
          continue;
        }
        put(name, rest === "" ? undefined : rest, `-${letter}`);
        break;
      }
    } else {
      operands.push(arg);
    }
  }
  const [command = "", ...others] = operands;
  return { command, operands: others, flags, values };
}
