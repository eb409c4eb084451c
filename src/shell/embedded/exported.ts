import type { Interpreter } from "./running-script.ts";
import { isArithmeticCall, substitute } from "./arithmetic-calls.ts";
import { asBytes } from "./byte-output.ts";
import { isOutput } from "./traps.ts";
import { takeFunctions, withFunctions } from "./exported-functions.ts";
import { putInSpan, spanOfScript } from "./in-span.ts";
import { readableSource } from "./readable-source.ts";
import { takeDescriptors, withDescriptors } from "./saved-streams.ts";
import { shellOf, takeBeginner, withBeginner } from "./shell-frames.ts";
import { takeSource, withSource } from "./sources.ts";
import { signalToPass, spanAsked, takeSpan, withSpan } from "./spans.ts";

/** A script can't set a variable of this name. */
const handedOver = "vibey exported";

/** Variables for a separate script, with the names of the exported ones. */
export function withExported(env: Readonly<Record<string, string>>, names: Iterable<string>): Record<string, string> {
  return { ...env, [handedOver]: [...names].join(" ") };
}

type Exec = (script: unknown, options?: ExecOptions, ...more: readonly unknown[]) => Promise<unknown>;
interface ExecOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * just-bash gives the commands of `timeout`, `xargs` and `find -exec` the variables and the exports of the shell's start. With this patch they get
 * what is exported where they run, and what `env A=1` or a program adds, and they belong to the span in which they run. Scripts also get their own
 * readonly variables and `shopt` options, which just-bash shares between all scripts of a shell. Call it before an interpreter's first script.
 */
export function mendExports(interpreter: Interpreter): void {
  const { ctx } = interpreter;
  const variables = variablesOf(interpreter);
  Reflect.set(ctx.state, "readonlyVars", new Set(namesIn(interpreter, "readonlyVars")));
  Reflect.set(ctx.state, "shoptOptions", { ...Object(Reflect.get(ctx.state, "shoptOptions")) });
  const names = variables.get(handedOver);
  if (names !== undefined) {
    variables.delete(handedOver);
    Reflect.set(ctx.state, "exportedVars", new Set(names.split(" ").filter((name) => name !== "")));
  }
  takeBeginner(interpreter, variables);
  takeFunctions(interpreter, variables);
  takeSource(interpreter, variables);
  takeDescriptors(interpreter, variables);
  const span = takeSpan(variables);
  if (span !== null) putInSpan(interpreter, span);
  const exec: unknown = Reflect.get(ctx, "execFn");
  if (typeof exec !== "function") throw new Error("just-bash runs the scripts of its commands elsewhere: was it updated?");
  const patched: Exec = (script, options = {}, ...more) => {
    if (isArithmeticCall(script)) return script(interpreter);
    // This is a `$(…)` in arithmetic: commands that run a script pass these options.
    if (more.length === 0 && Object.keys(options).join(" ") === "signal") return substitute(interpreter, String(script));
    const readable = typeof script === "string" ? readableSource(script) : script;
    const exported = options.cwd === undefined ? options.env : handedOn(interpreter, options);
    const named = withFunctions(withBeginner(exported, shellOf(interpreter)), interpreter);
    const given = { ...options, env: withSource(withDescriptors(named, interpreter), interpreter) };
    const inside = spanAsked(options.args) ?? spanOfScript(interpreter);
    if (inside === null) return bytesOf(Reflect.apply(exec, null, [readable, given, ...more]));
    const { signal, ...others } = given;
    const passed = signalToPass(signal);
    return bytesOf(
      Reflect.apply(exec, null, [readable, { ...others, ...(passed && { signal: passed }), env: withSpan(given.env, inside) }, ...more]),
    );
  };
  Reflect.set(ctx, "execFn", patched);
}

/** A command that runs a script does not know stray bytes. */
async function bytesOf(running: Promise<unknown>): Promise<unknown> {
  const result = await running;
  return isOutput(result) ? asBytes(result) : result;
}

function handedOn(interpreter: Interpreter, { env }: ExecOptions): Record<string, string> {
  const variables = variablesOf(interpreter);
  const exported = new Set([...namesIn(interpreter, "exportedVars"), ...namesIn(interpreter, "tempExportedVars")]);
  if (env === undefined) {
    const given = [...variables].filter(([name]) => exported.has(name));
    return withExported(Object.fromEntries(given), exported);
  }
  // Some commands pass on every variable; then only those that differ from the shell's own count.
  const names = Object.keys(env).filter((name) => /^[A-Za-z_]\w*$/.test(name) && (exported.has(name) || variables.get(name) !== env[name]));
  return withExported(env, names);
}

function namesIn({ ctx: { state } }: Interpreter, field: string): readonly string[] {
  const names: unknown = Reflect.get(state, field);
  return names instanceof Set ? [...names].map(String) : [];
}

function variablesOf({ ctx: { state } }: Interpreter): Map<string, string> {
  const variables: unknown = Reflect.get(state, "env");
  if (!(variables instanceof Map)) throw new Error("just-bash keeps its variables elsewhere: was it updated?");
  return variables;
}
