import type { Interpreter } from "./running-script.ts";
import { isOutput } from "./traps.ts";

type RunCall = (call: readonly unknown[]) => Promise<unknown>;

/** The positions of these arguments in a call of `runCommand`. */
const [wordsAt, stdinAt, fdAt, ownsAt] = [1, 3, 6, 7];

/**
 * Wraps a call of `mapfile`. just-bash ignores options that are written together with their value (`-d,`) and descriptors (`-u 3`), and leaves nothing of
 * the input after `-n 1`.
 */
export function aroundMapfile(interpreter: Interpreter, call: readonly unknown[], run: RunCall): Promise<unknown> {
  const [name, words] = call;
  return (name === "mapfile" || name === "readarray") && Array.isArray(words)
    ? mapfile(interpreter, words.map(String), call, run)
    : run(call);
}

async function mapfile(interpreter: Interpreter, given: readonly string[], call: readonly unknown[], run: RunCall): Promise<unknown> {
  const { state } = interpreter.ctx;
  const { words, values } = optionsOf(given);
  if (values.has("C")) return { stdout: "", stderr: "bash: mapfile: -C is not supported here; use a while read loop\n", exitCode: 2 };
  const count = Number(values.get("n") ?? 0);
  const consumed = (text: string): number => {
    if (!(count > 0)) return text.length;
    const delimiter = values.get("d")?.charAt(0) ?? "\n";
    let end = 0;
    for (let lines = count + Number(values.get("s") ?? 0); lines > 0 && end < text.length; lines--)
      end = text.indexOf(delimiter === "" ? "\0" : delimiter, end) + 1 || text.length;
    return end;
  };
  const callWith = (changes: Readonly<Record<number, unknown>>): unknown[] =>
    Array.from({ length: ownsAt + 1 }, (_, i) => (i in changes ? changes[i] : (call[i] ?? missing[i])));
  const fd = Number(values.get("u") ?? 0);
  if (fd > 0) {
    const descriptors: unknown = Reflect.get(state, "fileDescriptors");
    const inputs: unknown = Reflect.get(state, "inputFds");
    const text: unknown = descriptors instanceof Map ? descriptors.get(fd) : undefined;
    if (!(descriptors instanceof Map) || typeof text !== "string" || !(inputs instanceof Set) || !inputs.has(fd))
      return { stdout: "", stderr: `bash: mapfile: ${fd}: invalid file descriptor: Bad file descriptor\n`, exitCode: 1 };
    const result = await run(callWith({ [wordsAt]: words, [stdinAt]: text, [fdAt]: fd, [ownsAt]: true }));
    descriptors.set(fd, text.slice(consumed(text)));
    return result;
  }
  const shared: unknown = Reflect.get(state, "groupStdin");
  const stdin = call[stdinAt];
  const result = await run(callWith({ [wordsAt]: words }));
  if (stdin === "" && typeof shared === "string" && Reflect.get(state, "groupStdin") === "")
    Reflect.set(state, "groupStdin", shared.slice(consumed(shared)));
  return isOutput(result) && typeof stdin === "string" && stdin !== "" ? { ...result, internalStdinConsumed: consumed(stdin) } : result;
}

/** just-bash's defaults for missing arguments. */
const missing: readonly unknown[] = [undefined, undefined, undefined, undefined, false, false, -1, false];

/** The words with each option on its own, without `-u`. */
function optionsOf(given: readonly string[]): { readonly words: readonly string[]; readonly values: ReadonlyMap<string, string> } {
  const words: string[] = [];
  const values = new Map<string, string>();
  for (let i = 0; i < given.length; i++) {
    const word = given[i] ?? "";
    if (word === "--" || !/^-./.test(word)) return { words: [...words, ...given.slice(word === "--" ? i + 1 : i)], values };
    for (let at = 1; at < word.length; at++) {
      const option = word.charAt(at);
      if (!/[dnOsuCc]/.test(option)) {
        words.push(`-${option}`);
        continue;
      }
      const value = at + 1 < word.length ? word.slice(at + 1) : (given[++i] ?? "");
      values.set(option, value);
      if (option !== "u") words.push(`-${option}`, value);
      break;
    }
  }
  return { words, values };
}
