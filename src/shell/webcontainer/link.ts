import type { Timers } from "../timers.ts";
import type { WebContainerAnswer, WebContainerFile, WebContainerPort, ExportFormat, FromWebContainer } from "./page-messages.ts";

/** The channel to the current or next WebContainer. */
export interface WebContainerLink {
  boot(): Promise<Asked<"booted">>;
  /** The current WebContainer, or the next one if there is none. */
  container(): RunningContainer;
  /** Takes it down: its processes end and every pending request is answered at once with this reason. `gone` is not called. Never rejects. */
  end(why: string): Promise<void>;
}

/** One WebContainer as functions: requests with their answers, and processes. After it has gone, all of them fail, even if another one is booted. */
export interface RunningContainer {
  put(files: readonly WebContainerFile[]): Promise<Asked<"done">>;
  remove(paths: readonly string[]): Promise<Asked<"done">>;
  export(format: ExportFormat, excludes: readonly string[]): Promise<Asked<"snapshot" | "tree">>;
  start(program: string, args: readonly string[], listener: ProcessListener): WebContainerProcess;
  /** Aborts when it has gone or was ended; the reason is a sentence. */
  readonly life: AbortSignal;
}

export type Asked<Kind extends WebContainerAnswer["kind"]> =
  | { readonly ok: true; readonly answer: Extract<WebContainerAnswer, { kind: Kind }> }
  | { readonly ok: false; readonly why: string };

export interface ProcessListener {
  output(text: string): void;
  /** Called once, after all output. `code` null: the process could not be started, or the WebContainer has gone; `why` says which. */
  exit(code: number | null, why: string): void;
}

export interface WebContainerProcess {
  input(text: string): void;
  kill(): void;
}

export interface LinkListener {
  port(port: number, url: string, open: boolean): void;
  hidden(): void;
  /** Called after every process has ended and every request was answered. */
  gone(why: string): void;
}

/** Milliseconds for an answer. A WebContainer that takes longer counts as gone, except while it boots. */
const limits = { boot: 25_000, end: 10_000, other: 90_000 } as const;
/** The wait for an answer is split into this many timers: if the machine sleeps, that counts as one part, not as the whole wait. */
const parts = 9;

/** Routes the page's messages to their requests and processes. A WebContainer that has gone answers no earlier request. */
export function openLink(port: WebContainerPort, listener: LinkListener, timers: Pick<Timers, "after">): WebContainerLink {
  let last = 0;
  const questions = new Map<number, (answer: Asked<WebContainerAnswer["kind"]>) => void>();
  const processes = new Map<number, ProcessListener>();
  /** Why there is no WebContainer. Null: there is one, or none was booted yet. */
  let goneFor: string | null = null;
  /** Belongs to the current WebContainer, or to the next one. */
  let life = new AbortController();

  function ask<Kind extends WebContainerAnswer["kind"]>(
    what: keyof typeof limits,
    post: (id: number) => void,
    ...kinds: readonly Kind[]
  ): Promise<Asked<Kind>> {
    const id = ++last;
    if (goneFor !== null && what === "other") return Promise.resolve({ ok: false, why: goneFor });
    return new Promise((resolve) => {
      let stopTimer = (): void => undefined;
      const wait = (left: number): void => {
        stopTimer = timers.after(limits[what] / parts, () => (left > 1 ? wait(left - 1) : late()));
      };
      const late = (): void => {
        if (what === "other") return lost(`the WebContainer did not answer within ${limits.other / 1000} s`);
        questions.get(id)?.({ ok: false, why: `the page did not answer within ${limits[what] / 1000} s` });
      };
      wait(parts);
      questions.set(id, (asked) => {
        stopTimer();
        if (!asked.ok) return resolve(asked);
        const { answer } = asked;
        if (isOf(answer, kinds)) resolve({ ok: true, answer });
        else resolve({ ok: false, why: `the page answered "${answer.kind}" where ${kinds.join(" or ")} was asked for` });
      });
      post(id);
    });
  }

  function end(why: string): void {
    goneFor = why;
    const over = life;
    life = new AbortController();
    over.abort(why);
    const [ended, asked] = [[...processes.values()], [...questions.values()]];
    processes.clear();
    questions.clear();
    for (const process of ended) process.exit(null, why);
    for (const answer of asked) answer({ ok: false, why });
  }

  /** The WebContainer does not answer. Ends it in case it is still alive. */
  function lost(why: string): void {
    port.post({ type: "end", id: ++last });
    gone(why);
  }

  function gone(why: string): void {
    end(why);
    listener.gone(why);
  }

  port.listen((message) => {
    switch (message.type) {
      case "answered":
      case "failed":
        return answered(message);
      case "output":
        return processes.get(message.process)?.output(message.text);
      case "exit": {
        const process = processes.get(message.process);
        processes.delete(message.process);
        return process?.exit(message.code, message.why);
      }
      case "port":
        return listener.port(message.port, message.url, message.open);
      case "hidden":
        return listener.hidden();
      case "gone":
        return gone(message.why);
    }
  });

  function answered(message: Extract<FromWebContainer, { readonly type: "answered" | "failed" }>): void {
    const question = questions.get(message.id);
    questions.delete(message.id);
    if (question && message.type === "answered" && message.answer.kind === "booted") goneFor = null;
    question?.(message.type === "answered" ? { ok: true, answer: message.answer } : { ok: false, why: message.why });
  }

  function start(program: string, args: readonly string[], heard: ProcessListener): WebContainerProcess {
    const process = ++last;
    if (goneFor !== null) return stillborn(heard, goneFor);
    processes.set(process, heard);
    port.post({ type: "start", process, program, args });
    return {
      input: (text) => port.post({ type: "input", process, text }),
      kill: () => port.post({ type: "kill", process }),
    };
  }

  /** The current WebContainer, for as long as it lives. */
  function container(): RunningContainer {
    const own = life.signal;
    const within = async <Kind extends WebContainerAnswer["kind"]>(question: () => Promise<Asked<Kind>>): Promise<Asked<Kind>> => {
      const asked = own.aborted ? null : await question();
      return asked === null || own.aborted ? { ok: false, why: String(own.reason) } : asked;
    };
    return {
      put: (files) => within(() => ask("other", (id) => port.post({ type: "put", id, files }), "done")),
      remove: (paths) => within(() => ask("other", (id) => port.post({ type: "remove", id, paths }), "done")),
      export: (format, excludes) =>
        within(() => ask("other", (id) => port.post({ type: "export", id, format, excludes }), "snapshot", "tree")),
      start: (program, args, heard) => (own.aborted ? stillborn(heard, String(own.reason)) : start(program, args, heard)),
      life: own,
    };
  }

  return {
    boot: () => ask("boot", (id) => port.post({ type: "boot", id }), "booted"),
    container,
    async end(why) {
      end(why);
      await ask("end", (id) => port.post({ type: "end", id }), "done");
    },
  };
}

/** A process of a WebContainer that has gone. */
function stillborn(heard: ProcessListener, why: string): WebContainerProcess {
  queueMicrotask(() => heard.exit(null, why));
  return { input: () => undefined, kill: () => undefined };
}

function isOf<Kind extends WebContainerAnswer["kind"]>(
  answer: WebContainerAnswer,
  kinds: readonly Kind[],
): answer is Extract<WebContainerAnswer, { kind: Kind }> {
  return kinds.some((kind) => kind === answer.kind);
}
