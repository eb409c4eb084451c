import { decode, encode } from "@msgpack/msgpack";
import { setTimeout as delay } from "node:timers/promises";
import type { RawData, WebSocket } from "ws";
import { buildContainer, type Container } from "./container.ts";
import type { BuildOptions, Call, CallName, Told } from "./messages.ts";
import type { Weather } from "./weather.ts";

const bytesOf = (data: RawData): Uint8Array => {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
};

export interface LineOptions {
  readonly weather: () => Weather;
  readonly built: (container: Container) => void;
  /** Called when the container has ended and nothing is left of it. */
  readonly ended: (container: Container) => void;
}

/** Serves the WebSocket of one page. It builds one container, which lives as long as the socket. */
export function serveLine(socket: WebSocket, { weather, built, ended }: LineOptions): void {
  let container: Container | null = null;
  let isOver = false;

  const tell = (told: Told) => {
    if (socket.readyState === socket.OPEN) socket.send(encode(told));
  };

  async function end(): Promise<void> {
    const ending = container;
    container = null;
    if (ending === null) return;
    await ending.end();
    ended(ending);
  }

  async function build(options: BuildOptions): Promise<unknown> {
    const now = weather();
    if (now === "mute") return new Promise(() => undefined);
    if (typeof now === "object" && "fails" in now) throw new Error(now.fails);
    if (typeof now === "object" && "slow" in now) await delay(now.slow);
    container = await buildContainer(options, tell);
    built(container);
    if (isOver) await end();
    return container?.info;
  }

  /** Carries out a call of the page. The container reports errors in its arguments. */
  async function carryOut(name: CallName, args: readonly unknown[]): Promise<unknown> {
    if (name === "build") return build(args[0] as BuildOptions);
    if (name === "teardown") return end();
    if (container === null) throw new Error("The container was torn down");
    const act = container.calls[name] as (...given: readonly unknown[]) => Promise<unknown>;
    return act(...args);
  }

  async function answer({ id, name, args }: Call): Promise<void> {
    const asked = container;
    let told: Told;
    try {
      const value = await carryOut(name, args);
      told = { kind: "answer", id, value };
    } catch (error) {
      const { name: kind, message } = error instanceof Error ? error : new Error(String(error));
      told = { kind: "refusal", id, error: { name: kind, message } };
    }
    if (asked?.isCrashed !== true) tell(told);
  }

  socket.on("message", (data) => void answer(decode(bytesOf(data)) as Call));
  socket.on("close", () => {
    isOver = true;
    void end();
  });
}
