import type { Interpreter } from "./running-script.ts";
import { isOwnShell } from "./script.ts";

/**
 * Commands that share an input, such as those of a group or a loop. just-bash gives each the whole rest of the input. Here a command that reads it
 * leaves to the next one what the real command would leave. Programs that may or may not read it (`node`, `timeout`, `bash`) leave all of it.
 */
const readers = new Set(
  (
    "awk base32 cat cksum column comm cut diff egrep expand fgrep fmt fold gawk grep gunzip gzip head hexdump md5sum nl numfmt od patch rev sed " +
    "sha1sum sha256sum sha384sum sha512sum shuf sort split strings tac tail tee tr tsort unexpand uniq wc xargs xxd zcat"
  ).split(" "),
);

/** Commands that take their input before they know whether they need it. They get it if they have no more operands than this. */
const eager = new Map([
  ["base64", 0],
  ["jq", 1],
  ["paste", 0],
]);

function reads(name: string, words: readonly string[]): boolean {
  const most = eager.get(name);
  if (most === undefined) return readers.has(name);
  return (
    words.filter((word) => !word.startsWith("-")).length <= most &&
    !(name === "jq" && words.some((word) => /^-\w*n|^--null-input$/.test(word)))
  );
}

/** How much `head` reads from a pipe at once. */
const pieceOfPipe = 8192;

/** Whether the shared input of an interpreter's commands is a file. Then `head` leaves it where its last line ended. */
const isFile = new WeakMap<Interpreter, boolean>();
/** What was left when the body of a subshell ended. */
const left = new WeakMap<Interpreter, unknown>();

type Run = () => Promise<unknown>;
type RunCall = (call: readonly unknown[]) => Promise<unknown>;

/** Wraps a command node: records where its input comes from, and what a subshell left of the shared input. */
export function aroundNode(interpreter: Interpreter, node: object, stdin: unknown, run: Run): Promise<unknown> {
  if (Reflect.get(node, "type") === "SimpleCommand") return run();
  return isOwnShell(node) ? aroundBody(interpreter, run) : aroundCompound(interpreter, node, stdin, run);
}

async function aroundBody(interpreter: Interpreter, run: Run): Promise<unknown> {
  try {
    return await run();
  } finally {
    left.set(interpreter, Reflect.get(interpreter.ctx.state, "groupStdin"));
  }
}

async function aroundCompound(interpreter: Interpreter, node: object, stdin: unknown, run: Run): Promise<unknown> {
  const { state } = interpreter.ctx;
  const own = inputOf(node);
  const before = isFile.get(interpreter) ?? false;
  if (own !== null || stdin !== "") isFile.set(interpreter, own === "file");
  try {
    return await run();
  } finally {
    isFile.set(interpreter, before);
    const isShared = own === null && stdin === "" && typeof Reflect.get(state, "groupStdin") === "string";
    if (Reflect.get(node, "type") === "Subshell" && isShared && typeof left.get(interpreter) === "string")
      Reflect.set(state, "groupStdin", left.get(interpreter));
  }
}

/** Null: the input of the enclosing command. */
function inputOf(node: object): "file" | "other" | null {
  const redirections: unknown = Reflect.get(node, "redirections");
  if (!Array.isArray(redirections)) return null;
  let found: "file" | "other" | null = null;
  for (const each of redirections) {
    const operator: unknown = Reflect.get(each, "operator");
    const fd: unknown = Reflect.get(each, "fd");
    if (typeof operator !== "string" || !operator.startsWith("<") || (fd !== null && fd !== 0)) continue;
    found = operator === "<" ? "file" : "other";
  }
  return found;
}

/** The positions of these arguments in a call of `runCommand`. */
const [stdinAt, fdAt, ownsAt] = [3, 6, 7];

/** Wraps a command call. `call` has the arguments of the call; `run` takes such a list. */
export function aroundCall(interpreter: Interpreter, call: readonly unknown[], run: RunCall): Promise<unknown> {
  const { state } = interpreter.ctx;
  const shared: unknown = Reflect.get(state, "groupStdin");
  const [name, words, , stdin] = call;
  // `head <&3`
  if (name === "head" && Array.isArray(words) && Number(call[fdAt] ?? -1) >= 0 && typeof stdin === "string")
    return run(call).then((result) => withConsumed(result, endOfHead(stdin, words.map(String), true)));
  if (typeof shared !== "string" || shared === "" || stdin !== "") return run(call);
  if (call[ownsAt] === true) return withoutShared(state, shared, () => run(call));
  const functions: unknown = Reflect.get(state, "functions");
  if (
    typeof name !== "string" ||
    !Array.isArray(words) ||
    !reads(name, words.map(String)) ||
    (functions instanceof Map && functions.has(name))
  )
    return run(call);
  return withShared(interpreter, shared, name, words.map(String), call, run);
}

/** Runs a command with its own, empty input, which must not read the shared one. */
async function withoutShared(state: object, shared: string, run: Run): Promise<unknown> {
  Reflect.set(state, "groupStdin", undefined);
  try {
    return await run();
  } finally {
    Reflect.set(state, "groupStdin", shared);
  }
}

/** Runs a command that reads the shared input, and removes what it read. */
async function withShared(
  interpreter: Interpreter,
  shared: string,
  name: string,
  words: readonly string[],
  call: readonly unknown[],
  run: RunCall,
): Promise<unknown> {
  const { state } = interpreter.ctx;
  const given = Array.from({ length: ownsAt + 1 }, (_, i) => (i === stdinAt ? shared : i === ownsAt ? true : (call[i] ?? missing[i])));
  const result = await run(given);
  const consumed: unknown = typeof result === "object" && result !== null ? Reflect.get(result, "internalStdinConsumed") : 0;
  if (typeof consumed === "number" && consumed > 0 && Reflect.get(state, "groupStdin") === shared) {
    const end = name === "head" ? endOfHead(shared, words, isFile.get(interpreter) ?? false) : shared.length;
    Reflect.set(state, "groupStdin", shared.slice(end));
  }
  return result;
}

function withConsumed(result: unknown, count: number): unknown {
  if (typeof result !== "object" || result === null) return result;
  return Number(Reflect.get(result, "internalStdinConsumed") ?? 0) > 0 ? { ...result, internalStdinConsumed: count } : result;
}

/** just-bash's defaults for missing arguments. */
const missing: readonly unknown[] = [undefined, undefined, undefined, undefined, false, false, -1, false];

function endOfHead(text: string, words: readonly string[], exact: boolean): number {
  const line = words.join(" ");
  // All but the last ones: a pipe is read to its end, and a file is left where they begin.
  const [, kind = "", count] = /(?:^| )(-[nc] *|--lines=|--bytes=)-(\d+)/.exec(line) ?? [];
  if (count !== undefined) return exact ? lastOf(text, kind.includes("c") || kind.includes("b"), Number(count)) : text.length;
  const [, bytes, unit = ""] = /(?:^| )(?:-c *|--bytes=)(\d+)([bkKM]?)/.exec(line) ?? [];
  const lines = /(?:^| )(?:-n *|--lines=|-)(\d+)/.exec(line);
  let end = Number(bytes ?? 0) * (units[unit] ?? 1);
  if (bytes === undefined)
    for (let n = Number(lines?.[1] ?? 10); n > 0 && end < text.length; n--) end = text.indexOf("\n", end) + 1 || text.length;
  if (!exact && bytes === undefined) end = Math.ceil(end / pieceOfPipe) * pieceOfPipe;
  return Math.min(end, text.length);
}

/** The position at which the last bytes or lines begin. */
function lastOf(text: string, isBytes: boolean, count: number): number {
  if (isBytes) return Math.max(0, text.length - count);
  let start = text.length;
  for (let n = count; n > 0 && start > 0; n--) start = start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  return start;
}

const units: Readonly<Record<string, number>> = { b: 512, k: 1024, K: 1024, M: 1024 * 1024 };
