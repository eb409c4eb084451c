import type { Timers } from "../timers.ts";
import type { WebContainerAnswer, WebContainerFile, WebContainerPort, ExportFormat, FromWebContainer } from "./page-messages.ts";

/** The way to the WebContainer, whichever there is. */
export interface WebContainerLink {
  boot(): Promise<Asked<"booted">>;
  /** The WebContainer that there is now, or the next one where there is none. */
  container(): RunningContainer;
  /** Takes it down: its processes end and every question is answered at once, with this reason, and `gone` is not called. Never rejects. */
  end(why: string): Promise<void>;
}

/** One WebContainer as functions: questions with their answers, and processes. Once it has gone all of them fail, whatever is booted after it. */
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
  /** Once, after all output. `code` null: it could not be started, or the WebContainer is gone; `why` says so. */
  exit(code: number | null, why: string): void;
}

export interface WebContainerProcess {
  input(text: string): void;
  kill(): void;
}

export interface LinkListener {
  port(port: number, url: string, open: boolean): void;
  hidden(): void;
  /** Every process has ended before, and every question was answered. */
  gone(why: string): void;
}

/** Milliseconds for an answer. A WebContainer that owes one for so long is as good as gone; one that boots may still come. */
const limits = { boot: 25_000, end: 10_000, other: 90_000 } as const;
/** In so many parts the time for an answer is waited for: a machine that was asleep meanwhile counts one of them, not all. */
const parts = 9;

/** What the page says is sorted by what it is about. A WebContainer that is gone answers nothing more of what it was asked before. */
export function openLink(port: WebContainerPort, listener: LinkListener, timers: Pick<Timers, "after">): WebContainerLink {
  let last = 0;
  const questions = new Map<number, (answer: Asked<WebContainerAnswer["kind"]>) => void>();
  const processes = new Map<number, ProcessListener>();
  /** Why there is no WebContainer; null: there is one, or none was booted yet. */
  let goneFor: string | null = null;
  /** Of the WebContainer that there is, or of the next one. */
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

  /** It does not answer. Should it live all the same, it is no longer anyone's. */
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

  /** What is there now, as long as it is. */
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

/** A process of a WebContainer that is no more. */
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
