import { hmac } from "@noble/hashes/hmac.js";
import { md5 } from "@noble/hashes/legacy.js";
import { fromBytes, toBytes } from "../encoding.ts";
import { joinBytes } from "../../../fs/bytes.ts";
import { type Answer, type Context, failed, stdinBytes } from "./answer.ts";
import { readInput, writeOutput } from "./files.ts";

const digests: Readonly<Record<string, readonly [algorithm: string, shown: string]>> = {
  md5: ["MD5", "MD5"],
  sha1: ["SHA-1", "SHA1"],
  sha256: ["SHA-256", "SHA2-256"],
  sha384: ["SHA-384", "SHA2-384"],
  sha512: ["SHA-512", "SHA2-512"],
};

/** `openssl dgst`, `rand`, `base64` and similar commands. Keys, certificates and ciphers are refused. */
export async function openssl(args: readonly string[], context: Context): Promise<Answer> {
  const [name = "", ...rest] = args;
  if (name === "dgst") return dgst(rest, context);
  if (digests[name] !== undefined) return dgst([`-${name}`, ...rest], context);
  if (name === "rand") return rand(rest, context);
  if (name === "base64") return base64(rest, context);
  if (name === "enc" && rest.some((arg) => arg === "-base64" || arg === "-a")) return base64(rest, context);
  if (name === "version") return { stdout: "Vibey's openssl: dgst, rand, base64\n" };
  return failed(
    "openssl",
    `${name === "" ? "a command" : name} is not here: only dgst (md5, sha1, sha256, sha384, sha512), rand and base64 are; use node's crypto for keys and hmac of other kinds`,
  );
}

/** Parses options with their values, and operands. */
function parse(
  args: readonly string[],
  withValue: readonly string[],
): { readonly flags: ReadonlyMap<string, string>; readonly operands: readonly string[] } {
  const flags = new Map<string, string>();
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const flag = arg.replace(/^--?/, "");
    if (!arg.startsWith("-")) operands.push(arg);
    else flags.set(flag, withValue.includes(flag) ? (args[++at] ?? "") : "");
  }
  return { flags, operands };
}

function refusedFlag(flags: ReadonlyMap<string, string>, known: readonly string[]): string | null {
  return [...flags.keys()].find((flag) => !known.includes(flag)) ?? null;
}

async function dgst(args: readonly string[], context: Context): Promise<Answer> {
  const { flags, operands } = parse(args, ["hmac", "out", "mac", "macopt"]);
  const unknown = [...flags.keys()].find((flag) => digests[flag] === undefined && !["hmac", "out", "r", "hex", "binary"].includes(flag));
  if (unknown !== undefined) return failed("openssl", `dgst: the option -${unknown} is not here: use node's crypto`);
  const [algorithm, shown] = digests[[...flags.keys()].find((flag) => digests[flag] !== undefined) ?? "sha256"] ?? ["SHA-256", "SHA2-256"];
  const key = flags.get("hmac");
  const out: Uint8Array[] = [];
  let stderr = "";
  for (const file of operands.length === 0 ? [null] : operands) {
    const read = file === null ? { ok: true as const, bytes: stdinBytes(context) } : await readInput(context, file);
    if (!read.ok) {
      stderr += `${file ?? ""}: ${read.why}\n`;
      continue;
    }
    const sum = await digest(algorithm, read.bytes, key);
    const hex = fromBytes(sum, "hex");
    const title = `${shown}(${file ?? "stdin"})= `;
    out.push(flags.has("binary") ? sum : toBytes(flags.has("r") ? `${hex} *${file ?? "stdin"}\n` : `${title}${hex}\n`, undefined));
  }
  return finish(joinBytes(out), flags.get("out"), context, stderr);
}

async function digest(algorithm: string, bytes: Uint8Array, key: string | undefined): Promise<Uint8Array> {
  if (algorithm === "MD5") return key === undefined ? md5(bytes) : hmac(md5, toBytes(key, undefined), bytes);
  if (key === undefined) return new Uint8Array(await crypto.subtle.digest(algorithm, bytes.slice()));
  const own = await crypto.subtle.importKey(
    "raw",
    toBytes(key === "" ? "\0" : key, undefined).slice(),
    { name: "HMAC", hash: algorithm },
    false,
    ["sign"],
  );
  return new Uint8Array(await crypto.subtle.sign("HMAC", own, bytes.slice()));
}

async function rand(args: readonly string[], context: Context): Promise<Answer> {
  const { flags, operands } = parse(args, ["out"]);
  const refused = refusedFlag(flags, ["out", "hex", "base64"]);
  if (refused !== null) return failed("openssl", `rand: the option -${refused} is not here`);
  const count = Number(operands[0] ?? Number.NaN);
  if (!Number.isInteger(count) || count < 0 || count > 1_000_000)
    return failed("openssl", "rand: a number of bytes is needed, at most 1000000");
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  const text = flags.has("hex") ? `${fromBytes(bytes, "hex")}\n` : flags.has("base64") ? lines(bytes, false) : null;
  return finish(text === null ? bytes : toBytes(text, undefined), flags.get("out"), context, "");
}

async function base64(args: readonly string[], context: Context): Promise<Answer> {
  const { flags, operands } = parse(args, ["in", "out"]);
  // `enc` with a cipher would print the plain text.
  const refused = refusedFlag(flags, ["in", "out", "d", "e", "A", "a", "base64"]);
  if (refused !== null) return failed("openssl", `base64: the option -${refused} is not here: there are no ciphers`);
  if (operands.length > 0) return failed("openssl", `base64: use -in ${operands[0] ?? ""}`);
  const file = flags.get("in");
  const read = file === undefined ? { ok: true as const, bytes: stdinBytes(context) } : await readInput(context, file);
  if (!read.ok) return failed("openssl", `Can't open "${file ?? ""}" for reading, ${read.why}`);
  if (!flags.has("d")) return finish(toBytes(lines(read.bytes, flags.has("A")), undefined), flags.get("out"), context, "");
  const text = fromBytes(read.bytes, "latin1").replaceAll(/\s/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return failed("openssl", "base64: error reading input file");
  return finish(toBytes(text, "base64"), flags.get("out"), context, "");
}

function lines(bytes: Uint8Array, isOne: boolean): string {
  const text = fromBytes(bytes, "base64");
  return isOne ? text : text.replaceAll(/.{1,64}/g, "$&\n");
}

async function finish(bytes: Uint8Array, out: string | undefined, context: Context, stderr: string): Promise<Answer> {
  if (out === undefined) return { stdout: bytes, stderr, exitCode: stderr === "" ? 0 : 1 };
  const why = await writeOutput(context, out, bytes);
  return why === null ? { stderr, exitCode: stderr === "" ? 0 : 1 } : failed("openssl", `Can't open "${out}" for writing, ${why}`);
}
