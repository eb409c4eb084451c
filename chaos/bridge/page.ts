import { WebSocket } from "ws";
import type { StoredBridge } from "../../src/engine/gateways/bridge-store.ts";
import type { Socket } from "../../src/engine/gateways/bridge-connection.ts";
import type { ProviderRequest } from "../../src/engine/providers/provider.ts";
import { memoryStore } from "../../src/fs/memory.ts";
import { importKey } from "../../src/protocol/bridge/proof.ts";
import { type Bench, bench, call, ended, outcome } from "../../tests/engine/harness.ts";

/** A page: its engine, with a storage that outlives it. */
export interface Page {
  /** Commands that have begun, in all lives. */
  readonly commands: readonly string[];
  engine(): Bench;
  /** It dies at once, wherever it is; another one opens the same storage. */
  kill(): Promise<void>;
}

interface Life {
  isOver: boolean;
  readonly sockets: Set<WebSocket>;
}

/** How much faster the page's waits pass. */
const haste = 50;

export async function openPage(port: number, psk: string): Promise<Page> {
  const store = memoryStore();
  const commands: string[] = [];
  const key = await importKey(psk);
  let life: Life = { isOver: false, sockets: new Set() };
  let engine = await live(life);

  function live(own: Life): Promise<Bench> {
    let stored: StoredBridge | null = { address: `ws://127.0.0.1:${port}`, key, all: false, ahead: 0 };
    /** What is dead does nothing more, and hears nothing. */
    const never = new Promise<never>(() => undefined);
    const connect = (url: string): Socket => {
      const socket = new WebSocket(url, { origin: "http://localhost:3001" });
      socket.binaryType = "arraybuffer";
      own.sockets.add(socket);
      socket.on("close", () => own.sockets.delete(socket));
      if (own.isOver) socket.terminate();
      return {
        binaryType: "arraybuffer",
        send: (bytes) => void (own.isOver || socket.send(bytes)),
        close: (code, reason) => socket.close(code, reason),
        addEventListener: (type: "message" | "close" | "error", listener: (event: never) => void) =>
          socket.addEventListener(type as "message", (event) => {
            if (!own.isOver) listener(event as never);
          }),
      };
    };
    return bench([], {
      store,
      answer: (request) => answerOf(request),
      now: () => new Date(),
      later: (then, ms) => void setTimeout(() => own.isOver || then(), ms / haste),
      aroundCommit: (commit) => (own.isOver ? never : commit()),
      async run(command) {
        if (own.isOver) return never;
        commands.push(command);
        await new Promise((resolve) => setTimeout(resolve, 1));
        return own.isOver ? never : outcome(`${command} is done\n`);
      },
      bridge: {
        project: "",
        connect,
        store: {
          readBridge: async () => stored,
          writeBridge: async (next) => void (stored = next),
          forgetBridge: async () => void (stored = null),
        },
      },
    });
  }

  return {
    commands,
    engine: () => engine,
    async kill() {
      life.isOver = true;
      for (const socket of life.sockets) socket.terminate();
      life = { isOver: false, sockets: new Set() };
      engine = await live(life);
    },
  };
}

/** To a message "Do 7" it asks to run `deed 7`, and then it is done. */
function answerOf({ dialog }: ProviderRequest) {
  const last = dialog.sections.findLast(({ role }) => role === "user");
  const text = last?.parts.find((part) => part.kind === "text")?.text ?? "";
  const [, deed] = /^Do (\S+)/.exec(text) ?? [];
  const isAsked = dialog.sections.some(({ parts }) =>
    parts.some((part) => part.kind === "call" && part.call.input["command"] === `deed ${deed}`),
  );
  if (deed === undefined || isAsked) return [{ type: "text", text: "Done." } as const, ended];
  return [call(`c${deed.replaceAll(/\W/g, "")}`, "run_command", { command: `deed ${deed}` }), ended];
}
