import type { WebContainerAnswer, FromWebContainer, ToWebContainer } from "../../shell/webcontainer/page-messages.ts";
import * as t from "../texts/webcontainer.ts";
import type { Booter } from "./boot.ts";
import type { Container } from "./client.ts";
import { putFiles, removeFiles } from "./files.ts";
import { createProcesses } from "./processes.ts";
import { startPulse } from "./pulse.ts";
import type { Throttle } from "./throttle.ts";

export interface WebContainerParts {
  readonly booter: Booter;
  readonly throttle: Throttle;
  /** Added to every page that a server in the container sends. */
  readonly previewScript: string;
  readonly post: (message: FromWebContainer, transfer?: Transferable[]) => void;
}

/** Files that are never copied out of the container: packages are fetched again. */
const neverOut = ["node_modules", "**/node_modules"];

/** Bytes that can be transferred without being copied. */
const bytesOf = (answer: WebContainerAnswer): Transferable[] =>
  answer.kind === "snapshot" && answer.bytes.buffer instanceof ArrayBuffer ? [answer.bytes.buffer] : [];

/** The WebContainer that one engine controls; see `src/shell/webcontainer/page-messages.ts`. Nothing in it throws. */
export function createWebContainer({ booter, throttle, previewScript, post }: WebContainerParts) {
  const processes = createProcesses(post, throttle);
  /** The container that this engine has booted. */
  let container: Container | null = null;
  let leave: (() => void)[] = [];
  let ended = false;
  /** Requests without an answer so far. Those to a previous container may never get one. */
  let questions = new Set<number>();

  function adopt(next: Container) {
    if (container === next) return;
    container = next;
    const open = new Map<number, string>();
    const opened = (port: number, url: string) => {
      if (open.get(port) === url) return;
      open.set(port, url);
      post({ type: "port", port, url, open: true });
    };
    leave = [
      next.on("port", (port, type, url) => {
        if (type === "open") return opened(port, url);
        open.delete(port);
        post({ type: "port", port, url, open: false });
      }),
      next.on("server-ready", opened),
      next.on("error", ({ message }) => {
        if (container === next) gone(t.containerFailed(message));
      }),
      startPulse({
        ask: () => next.fs.readdir("."),
        busy: () => questions.size > 0 || processes.some(),
        silent: () => gone(t.containerSilent),
      }),
    ];
    next.setPreviewScript(previewScript).catch((error: unknown) => console.info("Pages of servers will have no console here.", error));
  }

  function forget(why: string) {
    for (const stop of leave.splice(0)) stop();
    container = null;
    questions = new Set();
    processes.end(why);
  }

  /** The container has ended by itself, or is no longer usable. */
  function gone(why: string) {
    if (container === null) return;
    forget(why);
    booter.tearDown();
    post({ type: "gone", why });
  }

  async function boot(): Promise<WebContainerAnswer> {
    const booted = await booter.boot();
    if ("why" in booted) throw new Error(booted.why);
    if (ended) throw new Error(t.notRunning);
    adopt(booted.container);
    return { kind: "booted", folder: booted.container.workdir };
  }

  async function work(question: Extract<ToWebContainer, { readonly id: number }>): Promise<WebContainerAnswer> {
    if (question.type === "boot") return boot();
    if (question.type === "end") {
      forget(t.notRunning);
      booter.tearDown();
      return { kind: "done" };
    }
    if (container === null) throw new Error(t.notRunning);
    switch (question.type) {
      case "put":
        await putFiles(container, question.files);
        return { kind: "done" };
      case "remove":
        await removeFiles(container, question.paths);
        return { kind: "done" };
      case "export": {
        const { format } = question;
        const got = await container.export(".", { format, excludes: [...neverOut, ...question.excludes] });
        if (format === "json") return { kind: "tree", tree: got };
        if (!(got instanceof Uint8Array)) throw new Error(t.strangeSnapshot);
        return { kind: "snapshot", bytes: got };
      }
    }
  }

  async function answer(question: Extract<ToWebContainer, { readonly id: number }>): Promise<void> {
    const { id } = question;
    const asked = container;
    questions.add(id);
    try {
      const got = await work(question);
      if (question.type !== "boot" && question.type !== "end" && container !== asked) throw new Error(t.notRunning);
      post({ type: "answered", id, answer: got }, bytesOf(got));
    } catch (error) {
      post({ type: "failed", id, why: error instanceof Error ? error.message : String(error) });
    } finally {
      questions.delete(id);
    }
  }

  return {
    hear(message: ToWebContainer) {
      if (message.type === "start") processes.start(container, message.process, message.program, message.args);
      else if (message.type === "input") processes.input(message.process, message.text);
      else if (message.type === "kill") processes.kill(message.process);
      else void answer(message);
    },
    /** The page is hidden. */
    hidden() {
      processes.flush();
      post({ type: "hidden" });
    },
    /** The client's frame was removed from the page. */
    frameGone(why: string) {
      booter.kill(why);
      gone(why);
    },
    /** The engine that controls it has ended. The next engine starts with an empty container. */
    end() {
      ended = true;
      forget(t.notRunning);
      booter.tearDown();
    },
  };
}
