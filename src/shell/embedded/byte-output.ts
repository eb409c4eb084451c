import { fromBytes, toBytes } from "./encoding.ts";
import { hasStrayBytes, isUtf8, toBytesOf, toText } from "./stray-bytes.ts";
import { isBytes, isOutput, type Output } from "./traps.ts";

/**
 * Keeps bytes that are not UTF-8. just-bash joins the outputs of a group, loop, function or script as text, and would turn each such byte into a
 * character. With this patch they join as text with stray bytes, and the next command of a pipeline gets the bytes. `scope`: the object of any shell
 * that counts the output, which it does for the commands of a pipeline, for the whole pipeline, and before redirections.
 */
export function patchByteOutput(scope: object): void {
  const prototype: unknown = Reflect.getPrototypeOf(scope);
  const account: unknown = typeof prototype === "object" && prototype !== null ? Reflect.get(prototype, "accountResult") : null;
  if (typeof account !== "function") throw new Error("just-bash counts its output elsewhere: was it updated?");
  const patched = function (this: object, ...args: readonly unknown[]): unknown {
    const [given, site, most] = args;
    if (!isOutput(given) || given.stdout === "") return Reflect.apply(account, this, args);
    if (site === "redirection") return Reflect.apply(account, this, args.with(0, redirected(given)));
    const result: unknown = Reflect.apply(account, this, args);
    if (site !== "pipeline" || !isOutput(result)) return result;
    // Only the result of a single command has a limit.
    return counted(result, most === undefined ? asText(result) : asBytes(result));
  };
  Object.assign(Object(prototype), { accountResult: patched });
}

/** Both streams may go to one file, which is written with one encoding, and `>&2` adds the output to the errors, which are text. */
function redirected(result: Output): Output {
  if (!isBytes(result) || (result.stderr === "" && !/[^\0-\x7f]/.test(result.stdout))) return result;
  return result.stderr !== "" || isUtf8(toBytes(result.stdout, "latin1")) ? asText(result) : result;
}

/**
 * just-bash takes output for bytes if its characters are below 256 and happen to be valid UTF-8, so `Ã©` became `é`. It does so in a method that
 * otherwise only writes a log, which we don't use.
 */
export function patchFinalOutput(prototype: object): void {
  if (typeof Reflect.get(prototype, "logResult") !== "function") throw new Error("just-bash ends its commands elsewhere: was it updated?");
  Object.assign(prototype, { logResult: (result: unknown) => result });
}

function asText(result: Output): Output {
  if (!isBytes(result)) return result;
  const stdout = toText(toBytes(result.stdout, "latin1"));
  return Object.assign({ ...result, stdout }, { stdoutKind: "text", stdoutEncoding: undefined });
}

/** The same result if its output has no stray bytes. */
export function asBytes(result: Output): Output {
  if (isBytes(result) || !hasStrayBytes(result.stdout)) return result;
  const stdout = fromBytes(toBytesOf(result.stdout), "latin1");
  return Object.assign({ ...result, stdout }, { stdoutKind: "bytes", stdoutEncoding: "binary" });
}

/** Corrects just-bash's count of output for the converted result, whose size differs. */
function counted(before: Output, result: Output): Output {
  if (result === before) return result;
  const stdout = isBytes(result) ? result.stdout.length : toBytes(result.stdout, undefined).length;
  return Object.assign(result, { internalOutputAccounting: { ...Object(Reflect.get(before, "internalOutputAccounting")), stdout } });
}
