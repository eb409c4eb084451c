import { isHeaders, readMessage } from "../src/protocol/bridge/messages.ts";
import type { FromPage } from "../src/protocol/bridge/messages.ts";

/** Decodes a page's message. Null: invalid. All fields are checked, because the sender may not have proved its identity yet. */
export function decodePage(bytes: Uint8Array): FromPage | null {
  const message = readMessage(bytes);
  if (message === null) return null;
  const { kind, id } = message;
  switch (kind) {
    case "ping":
    case "pong":
      return { kind };
    case "hello": {
      const { v, project, epoch, nonce, proof, engine } = message;
      if (
        typeof v !== "number" ||
        typeof project !== "string" ||
        typeof epoch !== "number" ||
        !Number.isSafeInteger(epoch) ||
        typeof nonce !== "string" ||
        typeof proof !== "string"
      )
        return null;
      return { kind, v, project, epoch, nonce, proof, ...(typeof engine === "string" ? { engine } : {}) };
    }
    case "head": {
      const { status, headers } = message;
      return typeof id === "number" && typeof status === "number" && isHeaders(headers) ? { kind, id, status, headers } : null;
    }
    case "piece":
    case "chunk": {
      const { bytes: own } = message;
      return typeof id === "number" && own instanceof Uint8Array ? { kind, id, bytes: own } : null;
    }
    case "end":
      return typeof id === "number" ? { kind, id } : null;
    case "error": {
      const { message: text } = message;
      return typeof id === "number" && typeof text === "string" ? { kind, id, message: text } : null;
    }
    default:
      return null;
  }
}
