// The connection from the host's page to its container on the server.
import { decode, encode } from "@msgpack/msgpack";

/** @import { Call, CallName, Calls, Told } from "../messages.ts" */

/** @typedef {Exclude<Told, { kind: "answer" | "refusal" }>} News */

/**
 * Opens a connection. Its container lives as long as it. A call on a broken connection is never answered.
 * @param {(news: News) => void} hear receives the container's events in order
 */
export function openLine(hear) {
  const socket = new WebSocket(`wss://${location.host}/line`);
  socket.binaryType = "arraybuffer";
  const opened = new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  /** @type {Map<number, { resolve(value: unknown): void; reject(error: Error): void }>} */
  const waiting = new Map();
  let calls = 0;

  socket.addEventListener("message", ({ data }) => {
    const told = /** @type {Told} */ (decode(data));
    if (told.kind !== "answer" && told.kind !== "refusal") return hear(told);
    const asked = waiting.get(told.id);
    waiting.delete(told.id);
    if (told.kind === "answer") asked?.resolve(told.value ?? undefined);
    else asked?.reject(Object.assign(new Error(told.error.message), { name: told.error.name }));
  });

  return {
    /**
     * @template {CallName} Name
     * @param {Name} name
     * @param {Parameters<Calls[Name]>} args
     * @returns {Promise<ReturnType<Calls[Name]>>}
     */
    async call(name, ...args) {
      await opened;
      calls += 1;
      const id = calls;
      const answered = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      /** @type {Call} */
      const call = { id, name, args };
      socket.send(encode(call));
      return /** @type {Promise<ReturnType<Calls[Name]>>} */ (answered);
    },
    close: () => socket.close(),
  };
}
