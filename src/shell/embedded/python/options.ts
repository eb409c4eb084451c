/** What to run. `program`: code, a file's path or a module's name. `argv` starts with Python's name for the program. */
export interface PythonCall {
  readonly kind: "code" | "file" | "module" | "stdin";
  readonly program: string;
  readonly argv: readonly string[];
}

export type PythonOptions =
  | { readonly kind: "run"; readonly call: PythonCall }
  | { readonly kind: "version" }
  | { readonly kind: "refused"; readonly why: string; readonly exitCode: number };

/** Flags without an effect here: what they ask for is already the case, or has no meaning in a browser. */
const without = new Set("BbdEIOPqRsSuvx?");
/** Flags with a value, which may be joined to them. They have no effect either. */
const withValue = new Set("WX");

export function pythonOptions(args: readonly string[]): PythonOptions {
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? "";
    if (arg === "-" || !arg.startsWith("-")) {
      const rest = args.slice(i);
      return arg === "-" ? run("stdin", "", rest) : run("file", arg, rest);
    }
    if (arg === "--version") return { kind: "version" };
    if (arg === "--help")
      return { kind: "refused", why: "usage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...", exitCode: 0 };
    if (arg.startsWith("--")) return unknown(arg);
    for (let at = 1; at < arg.length; at += 1) {
      const flag = arg.charAt(at);
      if (flag === "V") return { kind: "version" };
      if (flag === "i") return { kind: "refused", why: "there is no terminal here, so -i can't be used", exitCode: 2 };
      if (flag === "c" || flag === "m" || withValue.has(flag)) {
        const joined = arg.slice(at + 1);
        const value = joined === "" ? args[i + 1] : joined;
        if (value === undefined) return { kind: "refused", why: `Argument expected for the -${flag} option`, exitCode: 2 };
        const rest = args.slice(joined === "" ? i + 2 : i + 1);
        if (flag === "c") return run("code", value, ["-c", ...rest]);
        if (flag === "m") return run("module", value, ["-m", ...rest]);
        if (joined === "") i += 1;
        break;
      }
      if (!without.has(flag)) return unknown(`-${flag}`);
    }
  }
  return run("stdin", "", [""]);
}

function run(kind: PythonCall["kind"], program: string, argv: readonly string[]): PythonOptions {
  return { kind: "run", call: { kind, program, argv } };
}

function unknown(option: string): PythonOptions {
  return {
    kind: "refused",
    why: `unknown option ${option}\nusage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...`,
    exitCode: 2,
  };
}
