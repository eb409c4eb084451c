import { decode, encode } from "@msgpack/msgpack";
import type { FromEngine, ToEngine } from "../port/messages.ts";
import { isSmall } from "./shape.ts";

/**
 * The messages between the engine's worker and the bridge, over a WebSocket that the worker opens: those of `port/messages.ts`, and a few more. Each
 * is one frame of at most `frameBytes`, in msgpack. Longer content is split into pieces.
 *
 * 1. The bridge sends `challenge`, the page `hello`, the bridge `welcome`. Each side proves that it has the key before the other accepts anything
 * else.
 * 2. The bridge calls, the page answers.
 */
export type FromBridge =
  | { readonly kind: "challenge"; readonly v: number; readonly nonce: string }
  | { readonly kind: "welcome"; readonly proof: string }
  /** Another page has the project or takes it over, with this number. The connection is closed. */
  | { readonly kind: "taken"; readonly epoch: number }
  /** The next piece of the body of the request with this id. */
  | { readonly kind: "body"; readonly id: number; readonly bytes: Uint8Array }
  | ToEngine
  | { readonly kind: "ping" | "pong" };

export type FromPage =
  | LineHello
  /** A piece of a chunk. The rest follows. It uses no credit. */
  | { readonly kind: "piece"; readonly id: number; readonly bytes: Uint8Array }
  | FromEngine
  | { readonly kind: "ping" | "pong" };

export interface LineHello {
  readonly kind: "hello";
  /** `lineVersion`. Sides with different versions don't understand each other. */
  readonly v: number;
  /** Empty for the first project. */
  readonly project: string;
  /** Counts the engines of the project: if two claim to be its engine, the one with the higher number wins. */
  readonly epoch: number;
  readonly nonce: string;
  readonly proof: string;
  /** Chosen at random by the engine. Distinguishes two engines with the same number in two browsers. Missing in earlier versions. */
  readonly engine?: string;
}

/** Bytes of a frame. */
export const frameBytes = 64_000;
/** Bytes of a piece of a body. Leaves room for the rest of its frame. */
const pieceBytes = 60_000;

/**
 * In milliseconds: the interval of each side's pings, the silence after which a connection is dead, and the first and longest wait between two
 * attempts to connect.
 */
export const lineTimes = { pingMs: 10_000, deadMs: 25_000, firstRetryMs: 500, lastRetryMs: 30_000 } as const;

/** The codes with which a connection is closed: another one replaced it, its proof is invalid, or its version is different. */
export const lineCodes = { replaced: 4409, refused: 4401, version: 4406 } as const;

/** The version of these messages. Both sides must have the same. Increase it with every change that the other side wouldn't understand. */
export const lineVersion = 2;

/** Set only by the bridge, on requests that presented the key. The key itself stays at the bridge. */
export const provedHeader = "x-vibey-proved";

/** The path at the bridge. */
export const linePath = "/line";

export function encodeMessage(message: FromBridge | FromPage): Uint8Array {
  return encode(message, { ignoreUndefined: true });
}

/** Null if it is not a message of the bridge. The fields are checked, because the sender may not have proved anything yet. */
export function decodeBridge(bytes: Uint8Array): FromBridge | null {
  const message = readMessage(bytes);
  if (message === null) return null;
  const { kind, id } = message;
  switch (kind) {
    case "ping":
    case "pong":
      return { kind };
    case "challenge":
      return typeof message["v"] === "number" && typeof message["nonce"] === "string"
        ? { kind, v: message["v"], nonce: message["nonce"] }
        : null;
    case "taken":
      return Number.isSafeInteger(message["epoch"]) ? { kind, epoch: Number(message["epoch"]) } : null;
    case "welcome":
      return typeof message["proof"] === "string" ? { kind, proof: message["proof"] } : null;
    case "body":
      return typeof id === "number" && message["bytes"] instanceof Uint8Array ? { kind, id, bytes: message["bytes"] } : null;
    case "request": {
      const { method, path, headers, body } = message;
      if (typeof id !== "number" || typeof method !== "string" || typeof path !== "string" || !isHeaders(headers)) return null;
      return { kind, id, method, path, headers, body: body instanceof Uint8Array ? bufferOf(body) : null };
    }
    case "more":
      return typeof id === "number" && typeof message["count"] === "number" ? { kind, id, count: message["count"] } : null;
    case "cancel":
      return typeof id === "number" ? { kind, id } : null;
    default:
      return null;
  }
}

/** Splits bytes into pieces that fit into frames. At least one piece. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at === 0 || at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

export function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** The fields of a message. Null if it is invalid or too long. */
export function readMessage(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  if (bytes.length > frameBytes || !isSmall(bytes)) return null;
  try {
    const value = decode(bytes);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    // Undecodable bytes are not a message.
    return null;
  }
}

export function isHeaders(given: unknown): given is [string, string][] {
  return (
    Array.isArray(given) &&
    given.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === "string"))
  );
}
