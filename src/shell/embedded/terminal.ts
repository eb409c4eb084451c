import { toBytes } from "./encoding.ts";
import { toText } from "./stray-bytes.ts";
import { isBytes } from "./traps.ts";
import type { Watcher } from "./watcher.ts";
import { type Interpreter, traces } from "./running-script.ts";
import { insideOf, type Place, placesOf, placesOfBody, type Stream } from "./places.ts";
import type { Script } from "./script-nodes.ts";

export type Print = (stream: Stream, text: string) => void;

/**
 * Shows what a script prints while it runs. just-bash returns output only at a script's end. Here each command's output is shown when that command
 * ends, if it is part of the script's own output: not in a pipe, a substitution or a job.
 *
 * What is shown is only for display: it may lack a part, such as a trap's output. The result is authoritative.
 */
export interface Terminal {
  /** The next script that is read is the command itself; `print` receives its output. */
  begin(print: Print): void;
  /** From here on nothing is shown. */
  end(): void;
  /** Called for every parsed script. */
  read(script: Script): void;
  /** Returns a function that shows the running command's output before it ends; null if that is not part of the script's output. */
  early(): Print | null;
  /** Whether the running command's output is shown, and nothing else reads it, such as a pipe or a file. */
  shows(stream: Stream): boolean;
  readonly watcher: Pick<Watcher, "command" | "script">;
}

/** A running command whose output is shown. */
interface Frame {
  readonly place: Place;
  readonly around: Frame | Print;
  /** UTF-16 units of its result that were already shown. */
  readonly shown: { stdout: number; stderr: number };
  ended: boolean;
}

/** Commands whose output is the output of the script that they run. */
const passesOn =
  /^(?:(?:\/usr)?\/bin\/)?(bash|sh|timeout|nohup|nice|ionice|setsid|stdbuf|unbuffer|env|command|exec|xargs|find|make|npm|npx)$/;
/** Commands whose errors come from the expansion of their words, and therefore before their output. */
const expandsFirst = /^(:|echo|printf|true|__vibey_select)$/;
/** Commands that run a script in the same interpreter, as files do. */
const readsScript = /^(eval|source|\.)$/;

export function createTerminal(jobsRun: () => boolean): Terminal {
  /** `around`: what a script's own commands print to; null: whatever runs the enclosing function. */
  let places = new WeakMap<object, { readonly place: Place; readonly around: Frame | Print | null }>();
  let known = new WeakSet<object>();
  /** The command that each interpreter runs; null: one whose output is not shown. */
  let running = new WeakMap<Interpreter, Frame | null>();
  let top: Frame | null = null;
  let main: Print | null = null;
  /** The next script to be read is the command itself. */
  let first = false;
  /** `exec` without a command may have redirected the script's own output. */
  let mayHaveMoved = false;

  function print(frame: Frame, from: Stream, text: string): void {
    const own = frame.place.own[from];
    if (own !== null) pass(frame, own, text);
  }

  /** Passes text of the frame's result on to the enclosing frame. */
  function pass(frame: Frame, stream: Stream, text: string): void {
    frame.shown[stream] += text.length;
    const outer = frame.place.outer[stream];
    if (outer === null) return;
    if (typeof frame.around === "function") frame.around(outer, text);
    else print(frame.around, outer, text);
  }

  function reaches(frame: Frame, from: Stream): boolean {
    const own = frame.place.own[from];
    const outer = own && frame.place.outer[own];
    if (outer === null) return false;
    return typeof frame.around === "function" || reaches(frame.around, outer);
  }

  /**
   * Shows the part of the result, or of the error that ended the command, that was not shown yet. `errorsFirst`: the errors came before the output,
   * as the trace of `set -x` does.
   */
  function showRest(frame: Frame, ended: unknown, errorsFirst: boolean): void {
    if (typeof ended !== "object" || ended === null) return;
    const order = errorsFirst ? (["stderr", "stdout"] as const) : (["stdout", "stderr"] as const);
    for (const stream of order) {
      if (frame.place.outer[stream] === null) continue;
      const text = textOf(ended, stream).slice(frame.shown[stream]);
      if (text !== "") pass(frame, stream, text);
    }
  }

  function frameOf(interpreter: Interpreter, node: object): Frame | null {
    const found = main === null ? undefined : places.get(node);
    if (!found) return null;
    const around = running.get(interpreter) ?? found.around;
    if (around === null || running.get(interpreter) === null) return null;
    return { place: found.place, around, shown: { stdout: 0, stderr: 0 }, ended: false };
  }

  function learn(script: Script, around: Frame | Print | null, isShown: boolean): void {
    const { scripts, bodies } = insideOf(script);
    for (const each of scripts) known.add(each);
    for (const body of bodies) placesOfBody(body, (command, place) => places.set(command, { place, around: null }));
    if (isShown) placesOf(script.statements, (command, place) => places.set(command, { place, around }));
  }

  const watcher: Pick<Watcher, "command" | "script"> = {
    async command(interpreter, node, run) {
      if (places.get(node)?.place.name === "exec") mayHaveMoved = true;
      const frame = frameOf(interpreter, node);
      const before = { own: running.get(interpreter), top };
      running.set(interpreter, frame);
      top = frame;
      try {
        const result = await run();
        if (frame) showRest(frame, result, traces(interpreter) || expandsFirst.test(frame.place.name ?? ""));
        return result;
      } catch (error) {
        if (frame) showRest(frame, error, traces(interpreter));
        throw error;
      } finally {
        if (frame) frame.ended = true;
        if (before.own === undefined) running.delete(interpreter);
        else running.set(interpreter, before.own);
        ({ top } = before);
      }
    },
    script(interpreter, script, run, isFile) {
      const frame = known.has(script) ? null : running.get(interpreter);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash runs it as a script.
      if (frame && (isFile || readsScript.test(frame.place.name ?? ""))) learn(script as Script, null, true);
      return run();
    },
  };

  return {
    watcher,
    begin(to) {
      places = new WeakMap();
      known = new WeakSet();
      running = new WeakMap();
      top = null;
      main = to;
      first = true;
      mayHaveMoved = false;
    },
    end() {
      main = null;
      top = null;
    },
    read(script) {
      if (known.has(script)) return;
      const around = first ? main : top && !top.ended && !jobsRun() && passesOn.test(top.place.name ?? "") ? top : null;
      first = false;
      learn(script, around, around !== null);
    },
    shows: (stream) => top !== null && !top.ended && main !== null && !jobsRun() && !mayHaveMoved && reaches(top, stream),
    early() {
      const frame = top;
      if (frame === null || frame.ended || main === null || jobsRun()) return null;
      return (stream, text) => {
        if (!frame.ended && main !== null) print(frame, stream, text);
      };
    },
  };
}

function textOf(ended: object, stream: Stream): string {
  const text: unknown = Reflect.get(ended, stream);
  if (typeof text !== "string" || text === "") return "";
  return stream === "stdout" && isBytes(ended) ? toText(toBytes(text, "latin1")) : text;
}
