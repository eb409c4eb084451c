import type { FileSystemTree } from "@webcontainer/api";
import { isolationMode } from "./isolation.ts";

/** The part of a container's process used here. */
export interface ContainerProcess {
  readonly exit: Promise<number>;
  readonly output: ReadableStream<string>;
  readonly input: WritableStream<string>;
  kill(): void;
}

/** The part of the container of `@webcontainer/api` used here. */
export interface Container {
  readonly workdir: string;
  readonly fs: {
    writeFile(path: string, data: Uint8Array): Promise<void>;
    mkdir(path: string, options: { readonly recursive: true }): Promise<unknown>;
    readdir(path: string): Promise<unknown>;
    rm(path: string, options: { readonly recursive: true; readonly force: true }): Promise<void>;
  };
  mount(tree: FileSystemTree): Promise<void>;
  export(path: string, options: { format: "json" | "binary"; excludes: string[] }): Promise<unknown>;
  spawn(program: string, args: string[]): Promise<ContainerProcess>;
  on(event: "port", listener: (port: number, type: "open" | "close", url: string) => void): () => void;
  on(event: "server-ready", listener: (port: number, url: string) => void): () => void;
  on(event: "error", listener: (error: { message: string }) => void): () => void;
  setPreviewScript(script: string): Promise<void>;
  teardown(): void;
}

/** What the installed version of the client remembers about the previous container. `src/app/container-host/boot.ts` has one container at a time. */
interface ClientMemory {
  _instance: object | null;
  _teardownPromise: Promise<void> | null;
}

/** Milliseconds for the previous container to end. */
const endMs = 3_000;

/** Loads the client and boots. The boot reports nothing if it gets no answer, and a second call waits for the first. */
export async function bootClient(): Promise<Container> {
  const [{ WebContainer }, coep] = await Promise.all([import("@webcontainer/api"), isolationMode()]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the client's own fields, which its types don't include.
  await forgetLast(WebContainer as unknown as ClientMemory);
  return WebContainer.boot({ workdirName: "project", coep: coep ?? "require-corp" });
}

/** The client waits for the previous container to confirm that it ended, which a crashed one never does. So this drops it after `ms`. */
export async function forgetLast(memory: ClientMemory, ms = endMs): Promise<void> {
  if (memory["_teardownPromise"] === null) return;
  const said = memory["_teardownPromise"].catch((error: unknown) => console.info("The container before did not end as it should.", error));
  await Promise.race([said, new Promise((resolve) => setTimeout(resolve, ms))]);
  memory["_teardownPromise"] = null;
  memory["_instance"] = null;
}

/** The state of the frame that the client adds to the page. `refused`: blocked by the page's policy. `spoken`: it has sent a message. */
export type FrameState = "none" | "loading" | "loaded" | "refused" | "spoken";

export interface ClientFrame {
  readonly state: () => FrameState;
  /** Reloads the frame if it hasn't sent a message. The client keeps listening. */
  readonly reload: () => void;
}

/** Watches for the client's frame from now on. `removed` is called if it is removed from the page. */
export function watchFrame(removed: () => void): ClientFrame {
  let state: FrameState = "none";
  let frame: HTMLIFrameElement | null = null;
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    if (effectiveDirective === "frame-src" && frame?.src.startsWith(blockedURI)) state = "refused";
  });
  window.addEventListener("message", ({ source, data }: MessageEvent<{ readonly type?: unknown } | null>) => {
    if (frame !== null && source === frame.contentWindow && data?.type === "init") state = "spoken";
  });
  new MutationObserver((records) => {
    for (const { addedNodes, removedNodes } of records) {
      for (const node of addedNodes) if (frame === null && isClients(node)) watch(node);
      if (frame !== null && [...removedNodes].includes(frame) && !frame.isConnected) removed();
    }
  }).observe(document.body, { childList: true });

  function watch(node: HTMLIFrameElement) {
    frame = node;
    state = "loading";
    node.addEventListener("load", () => {
      if (state === "loading") state = "loaded";
    });
  }
  return {
    state: () => state,
    reload() {
      if (frame === null || state === "spoken") return;
      state = "loading";
      // Assigning the same address reloads the frame.
      frame.setAttribute("src", frame.src);
    },
  };
}

const isClients = (node: Node): node is HTMLIFrameElement =>
  node instanceof HTMLIFrameElement && node.getAttribute("allow") === "cross-origin-isolated" && /\/headless\?/.test(node.src);
