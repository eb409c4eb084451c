import { fromBytes, toBytes } from "./encoding.ts";
import { functionsOf } from "./exported-functions.ts";
import type { Interpreter } from "./running-script.ts";
import { toBytesOf, toText } from "./stray-bytes.ts";

type RunCall = (call: readonly unknown[]) => Promise<unknown>;

const readers = new Set(["mapfile", "read", "readarray"]);

/** The options of each command that have a value. */
const withValue = { read: /[adnNptui]/, mapfile: /[dnOsuCc]/ };

/** The content of these descriptors is text with stray bytes; the input of a command is otherwise one character per byte. */
const isTextFd = (fd: unknown): boolean => typeof fd === "number" && fd > 2;

/**
 * Runs a call of `runCommand`, whose arguments are `call`. just-bash's `read` and `mapfile` set variables to one character per byte; here they set
 * them to text with stray bytes. Other commands get bytes from a descriptor, as in `cat <&3`.
 */
export function withInput(interpreter: Interpreter, call: readonly unknown[], run: RunCall): Promise<unknown> {
  const [name, words, , stdin, , , fd] = call;
  if (typeof name !== "string" || !Array.isArray(words)) return run(call);
  if (!readers.has(name) || functionsOf(interpreter).has(name))
    return isTextFd(fd) && typeof stdin === "string" ? run(call.with(3, fromBytes(toBytesOf(stdin), "latin1"))) : run(call);
  const sharedFd: unknown = stdin === "" ? Reflect.get(interpreter.ctx.state, "groupStdinSourceFd") : -1;
  const isText = isTextFd(fd) || isTextFd(sharedFd) || /(?:^| )-[a-zA-Z]*u *(?:[3-9]|\d\d)/.test(words.join(" "));
  return isText ? run(call) : decoding(interpreter, name, words.map(String), () => run(call));
}

async function decoding({ ctx: { state } }: Interpreter, name: string, words: readonly string[], run: () => Promise<unknown>) {
  const variables = mapOf(state, "env");
  const names = namesIn(name === "read" ? withValue.read : withValue.mapfile, words);
  if (names.length === 0) names.push(name === "read" ? "REPLY" : "MAPFILE");
  // A failed call leaves its variables unchanged.
  const before = new Map(names.map((each) => [each, [variables.get(each), new Map(elementsOf(state, each))]] as const));
  const result = await run();
  for (const [each, [value, elements]] of before) {
    if (variables.get(each) !== value) decode(variables, each);
    const now = elementsOf(state, each) ?? new Map<unknown, unknown>();
    for (const [index, element] of now) if (elements.get(index) !== element) decode(now, index);
  }
  return result;
}

function decode(values: Map<unknown, unknown>, key: unknown): void {
  const value = values.get(key);
  if (typeof value === "string" && /[\x80-\xff]/.test(value)) values.set(key, toText(toBytes(value, "latin1")));
}

/** The variables that the call sets. */
function namesIn(options: RegExp, words: readonly string[]): string[] {
  const names: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    if (word === "--") return [...names, ...words.slice(i + 1)];
    if (!word.startsWith("-") || word.length < 2) {
      names.push(word);
      continue;
    }
    const at = word.search(options);
    if (at < 0) continue;
    const value = at + 1 < word.length ? word.slice(at + 1) : (words[++i] ?? "");
    if (options === withValue.read && word[at] === "a") names.push(value);
  }
  return names;
}

function elementsOf(state: object, name: string): Map<unknown, unknown> | null {
  const array: unknown = mapOf(state, "arrays").get(name);
  const elements: unknown = typeof array === "object" && array !== null ? Reflect.get(array, "elements") : null;
  return elements instanceof Map ? elements : null;
}

function mapOf(state: object, field: string): Map<unknown, unknown> {
  const map: unknown = Reflect.get(state, field);
  return map instanceof Map ? map : new Map();
}
