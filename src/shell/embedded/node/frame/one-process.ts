import { servePorts } from "../../loopback/over-messages.ts";
import { type SyncFiles, SystemError } from "../../sync-files.ts";
import { pipeLimit, tooMuch, tooMuchPiped } from "../output.ts";
import { badOption, startOfChild } from "../start-settings.ts";
import { type Holder, mostChannels } from "./channels.ts";
import { followFiles } from "./follower.ts";
import type { FromProcess, PostKind, ProcessSettings, ToProcess } from "./messages.ts";
import { readFromProcess } from "./read.ts";
import { type Room, tooManyProcesses } from "./room.ts";

/** The maximum number of pending requests and commands of a process, and how much they may carry: bytes of bodies, UTF-16 units of texts. */
const mostUnderWay = 1_000;
const mostCarried = 64_000_000;

/** Milliseconds between two checks of the files for a process that watches them. */
const lookEach = 300;

const tooManyChannels = `node: stopped with more than ${mostChannels} ports open between its processes`;

type Message<T extends FromProcess["type"]> = Extract<FromProcess, { readonly type: T }>;

export interface ProcessParts {
  readonly room: Room;
  /** False: it printed too much. */
  print(stream: "stdout" | "stderr", printed: string | Uint8Array): boolean;
  /** The process sends this to its parent, and gives it these channel ends. `from`: the process itself. */
  posted(kind: PostKind, data: unknown, ports: readonly string[], from: Holder): void;
  /** False: the report is too large. */
  report(json: string): boolean;
  /** Called once. `broken`: why it was ended, if it did not end by itself. */
  ended(code: number | null, broken: string | null): void;
}

export interface RunningProcess extends Holder {
  post(kind: PostKind, data: unknown): void;
  /** False: it has no handler for that signal, and must be ended. */
  signal(name: string): boolean;
  /** Ends the process and everything it started. */
  end(): void;
}

/** Runs one process of the frame and does what it asks. Its messages are untrusted: the shell's files and the network apply their own rules. */
export function startProcess(settings: ProcessSettings, parts: ProcessParts): RunningProcess {
  const { room } = parts;
  const { program } = room;
  const { files } = program.host;
  /** The controllers that cancel requests and commands, by id. */
  const stoppers = new Map<number, AbortController>();
  const children = new Map<number, RunningProcess>();
  const over = new AbortController();
  const follower = followFiles(files);
  /** The signals for which the program has handlers. */
  const handled = new Set<string>();
  let underWay = 0;
  let carried = 0;
  let heard = 0;
  let seen = room.version;
  let lookedAt = performance.now();

  const process = room.frame.start(files, settings, (why) => breakOff(`node: ${why}`));
  const send = (message: ToProcess): void => {
    if (!over.signal.aborted) process.port.postMessage(message);
  };
  /** Sends pending file changes before a message about something that may have made them. */
  function answer(message: ToProcess, changed = seen !== room.version): void {
    const fresh = changed ? follower.changes() : null;
    if (changed) lookedAt = performance.now();
    seen = room.version;
    if (fresh !== null) send({ type: "files", ...fresh, upTo: heard });
    send(message);
  }
  /** Each check compares the names of all files but reads no content. */
  let watching: ReturnType<typeof setInterval> | undefined;
  function watch(on: boolean): void {
    clearInterval(watching);
    if (on) watching = setInterval(look, lookEach);
  }
  function look(): void {
    const fresh = follower.changes();
    if (fresh !== null) send({ type: "files", ...fresh, upTo: heard });
  }
  const dialogPorts = program.outside.ports;
  // A client uses one connection for several requests.
  const isRequest = (kind: string): boolean => kind === "accepted" || (kind === "data" && performance.now() - lookedAt > lookEach);
  const served = dialogPorts && servePorts(dialogPorts, (message) => answer({ type: "ports", message }, isRequest(message.kind)));

  function stop(): void {
    if (over.signal.aborted) return;
    over.abort();
    watch(false);
    served?.close();
    for (const child of children.values()) child.end();
    process.end();
    room.channels.left(self);
    room.leave();
  }
  function finish(code: number | null, broken: string | null): void {
    if (over.signal.aborted) return;
    stop();
    parts.ended(code, broken);
  }
  const breakOff = (broken: string): void => finish(null, broken);
  const self: RunningProcess = {
    post: (kind, data) => answer({ type: "posted", from: 0, kind, data }),
    portPosted: (end, data) => answer({ type: "portPosted", end, data }),
    portClosed: (end) => answer({ type: "portClosed", end }),
    signal(name) {
      if (over.signal.aborted || name === "SIGKILL" || !handled.has(name)) return false;
      answer({ type: "signal", name });
      return true;
    },
    end: stop,
  };
  const limitReached = settings.piped ? tooMuchPiped : tooMuch;

  async function reach({ id, request }: Message<"fetch">): Promise<void> {
    const end = new AbortController();
    stoppers.set(id, end);
    const signal = AbortSignal.any([end.signal, over.signal]);
    answer({ type: "fetched", id, answer: await program.outside.fetch(request, signal) });
    stoppers.delete(id);
  }

  async function execute({ id, command, cwd, env, stdin: input }: Message<"exec">): Promise<void> {
    const end = new AbortController();
    stoppers.set(id, end);
    try {
      const signal = AbortSignal.any([end.signal, over.signal]);
      const { stdout, stdoutIsBytes, stderr, exitCode } = await program.outside.exec(command, { cwd, env, stdin: input, signal });
      room.version++;
      answer({ type: "executed", id, done: { stdout, stdoutIsBytes, stderr, exitCode } });
    } catch (error) {
      if (!end.signal.aborted) throw error;
      answer({ type: "executed", id, done: null }, true);
    } finally {
      stoppers.delete(id);
    }
  }

  async function inTurn(size: number, work: () => Promise<void>): Promise<void> {
    if (++underWay > mostUnderWay) return breakOff(`node: stopped with more than ${mostUnderWay} requests and commands under way`);
    carried += size;
    if (carried > mostCarried)
      return breakOff(`node: stopped with requests and commands of more than ${mostCarried / 1_000_000} MB under way`);
    try {
      await work();
    } catch (error) {
      breakOff(`node: ${error instanceof Error ? error.message : String(error)}`);
    }
    underWay--;
    carried -= size;
  }

  function startChild({ id, start: given, words, piped, hasInput, data, ports }: Message<"child">): void {
    if (children.has(id)) return breakOff("node: two children have one number");
    const ended = (how: number): void => {
      children.delete(id);
      answer({ type: "childEnded", id, how });
    };
    function refuse(how: number): void {
      room.channels.lose(ports, self);
      ended(how);
    }
    if (!room.enter()) {
      if (!parts.print("stderr", tooManyProcesses)) return breakOff(limitReached);
      return refuse(1);
    }
    const made = words === null ? { start: given, conditions: settings.conditions } : startOfChild(files, words, given);
    if (typeof made === "string") {
      room.leave();
      if (piped) answer({ type: "childPrint", id, stream: "stderr", printed: `node: ${made}\n` });
      else if (!parts.print("stderr", `node: ${made}\n`)) return breakOff(limitReached);
      return refuse(badOption);
    }
    let passedOn = 0;
    const child = startProcess(
      { ...made, data, stdin: hasInput ? null : new Uint8Array(), piped },
      {
        room,
        print(stream, printed) {
          if (!piped) return parts.print(stream, printed);
          passedOn += printed.length;
          answer({ type: "childPrint", id, stream, printed });
          return passedOn <= pipeLimit;
        },
        posted(kind, sent, ends, from) {
          give(ends, from, self);
          answer({ type: "posted", from: id, kind, data: sent });
        },
        // Only the first process is a test file.
        report: () => true,
        ended(code, broken) {
          if (broken !== null && !parts.print("stderr", `${broken}\n`)) return breakOff(limitReached);
          ended(broken === null ? (code ?? 1) : 134);
        },
      },
    );
    children.set(id, child);
    give(ports, self, child);
  }

  function give(ends: readonly string[], from: Holder, to: Holder): void {
    if (!room.channels.give(ends, from, to)) breakOff(tooManyChannels);
  }

  function post({ to, kind, data, ports }: Message<"post">): void {
    if (to === 0) return parts.posted(kind, data, ports, self);
    const child = children.get(to);
    if (child === undefined) return room.channels.lose(ports, self);
    give(ports, self, child);
    child.post(kind, data);
  }

  function hear(message: FromProcess): void {
    switch (message.type) {
      case "print":
        if (!parts.print(message.stream, message.printed)) breakOff(limitReached);
        return;
      case "change": {
        heard++;
        const done = change(files, message);
        if (done === "failed") room.lost++;
        else if (done === "done") follower.did(message);
        // The process already knows its own changes.
        if (seen === room.version++) seen = room.version;
        return;
      }
      case "fetch":
        return void inTurn(message.request.body?.length ?? 0, () => reach(message));
      case "exec":
        return void inTurn(sizeOf(message), () => execute(message));
      case "kill":
        return stoppers.get(message.id)?.abort();
      case "watch":
        return watch(message.on);
      case "ports":
        return served?.hear(message.message);
      case "child":
        return startChild(message);
      case "endChild": {
        const child = children.get(message.id);
        if (child === undefined || (message.signal !== null && child.signal(message.signal))) return;
        child.end();
        children.delete(message.id);
        return answer({ type: "childEnded", id: message.id, how: message.signal ?? "SIGKILL" });
      }
      case "handle":
        if (message.on) handled.add(message.signal);
        else handled.delete(message.signal);
        return;
      case "post":
        return post(message);
      case "portPost":
        if (!room.channels.post(message.end, message.data, message.ports, self)) breakOff(tooManyChannels);
        return;
      case "portClose":
        return room.channels.close(message.end);
      case "report":
        if (!parts.report(message.json)) breakOff(limitReached);
        return;
      case "ended":
        return finish(message.code, message.broken);
    }
  }

  process.port.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (over.signal.aborted) return;
    program.begun?.();
    const message = readFromProcess(data);
    if (message === null) breakOff("node: the program said what the shell does not understand");
    else
      try {
        hear(message);
      } catch (error) {
        // For example, a value that can't be copied to another process.
        breakOff(`node: ${error instanceof Error ? error.message : String(error)}`);
      }
  });
  process.port.start();
  return self;
}

const sizeOf = ({ command, cwd, env, stdin }: Message<"exec">): number =>
  Object.entries(env)
    .flat()
    .reduce((sum, { length }) => sum + length, command.length + cwd.length + stdin.length);

/** Repeats a change that a process made to its own copy of the files. */
function change(files: SyncFiles, { call, args }: Message<"change">): "done" | "refused" | "failed" {
  try {
    // The types of the arguments were checked when the message was read.
    Reflect.apply(files[call], files, [...args]);
    return "done";
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    // The process was refused the same change, and sent it only so that the shell reports it.
    return error.code === "EROFS" ? "refused" : "failed";
  }
}
