import { WebSocket } from "ws";
import type { StoredBridge } from "../../src/engine/gateways/bridge-store.ts";
import type { Socket } from "../../src/engine/gateways/bridge-connection.ts";
import type { ProviderRequest } from "../../src/engine/providers/provider.ts";
import { memoryStore } from "../../src/fs/memory.ts";
import { importKey } from "../../src/protocol/bridge/proof.ts";
import { type Bench, bench, call, ended, outcome } from "../../tests/engine/harness.ts";

/** A page: an engine, and storage that outlives it. */
export interface Page {
  /** All commands that have begun, over all lives of the page. */
  readonly commands: readonly string[];
  engine(): Bench;
  /** Kills the engine at once, whatever it is doing, and opens another one on the same storage. */
  kill(): Promise<void>;
}

interface Life {
  isOver: boolean;
  readonly sockets: Set<WebSocket>;
}

/** The factor by which the page's timers run faster. */
const haste = 50;

export async function openPage(port: number, psk: string): Promise<Page> {
  const store = memoryStore();
  const commands: string[] = [];
  const key = await importKey(psk);
  let life: Life = { isOver: false, sockets: new Set() };
  let engine = await live(life);

  function live(own: Life): Promise<Bench> {
    let stored: StoredBridge | null = { address: `ws://127.0.0.1:${port}`, key, all: false, ahead: 0 };
    /** A killed engine waits forever: it does nothing more and receives nothing. */
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

/** Answers the message "Do 7" with a request to run `deed 7`, and ends the turn after that. */
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
