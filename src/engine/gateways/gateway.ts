import type { BridgeAnswer, BridgeBody } from "../../protocol/index.ts";
import type { Handler } from "../../protocol/port/answer-calls.ts";
import { provedHeader } from "../../protocol/bridge/messages.ts";
import { importKey, isKey } from "../../protocol/bridge/proof.ts";
import { failure } from "../routes/answers.ts";
import { reachOf } from "./allowed.ts";
import type { BridgeParts } from "./bridge-store.ts";
import { storedBridge } from "./stored-bridge.ts";
import { type BridgeConnection, openBridgeConnection } from "./bridge-connection.ts";
import { createThrottle } from "./throttle.ts";

export interface GatewayParts extends BridgeParts {
  readonly epoch: number;
  readonly handler: Handler;
  readonly now: () => number;
  readonly after: (then: () => void, ms: number) => () => void;
  /** The answer of `view` has changed. */
  readonly changed: () => void;
}

/** Lets programs outside reach the engine: over the bridge, with a key. */
export interface Gateway {
  /**
   * Whether the request has the key, or the bridge has checked it. `unset`: there is no key, so no request is right. `often`: too many attempts were
   * wrong.
   */
  check(request: Request): Promise<"right" | "wrong" | "unset" | "often">;
  view(): BridgeAnswer;
  /** Stores the given values and connects. `takeOver` replaces the page that is connected. Returns false if no key was given and none is stored. */
  set(body: BridgeBody): Promise<boolean>;
  forget(): Promise<void>;
}

export const usualAddress = "ws://127.0.0.1:7870";
/** Wrong keys per minute after which no key is checked. */
const maxWrong = 20;

export async function openGateway(parts: GatewayParts): Promise<Gateway> {
  const { store, connect, changed } = parts;
  const throttle = createThrottle(maxWrong, 60_000, parts.now);
  let stored = storedBridge(await store.readBridge());
  let bridgeConnection: BridgeConnection | null = null;
  let state: Pick<BridgeAnswer, "state" | "problem" | "since"> = { state: "off", problem: null, since: null };
  let [watchers, calls] = [0, 0];
  /** The number of the page that is connected instead of this one. */
  let taken: number | null = null;

  /** Replaces the bridge's mark on requests whose caller has presented the key. Only this engine knows it, so no other request can have it. */
  const proof = crypto.randomUUID();
  const check = async (request: Request): Promise<"right" | "wrong" | "unset" | "often"> => {
    if (stored === null) return "unset";
    if (request.headers.get(provedHeader) === proof) return "right";
    const { key } = stored;
    const psk = request.headers.get("x-psk") ?? new URL(request.url).searchParams.get("psk");
    return psk === null ? "wrong" : throttle.attempt(() => isKey(key, psk));
  };

  /** Answers requests from the bridge: those for the gateways' paths and, if the user allows it, those for the screen's own paths. */
  const handler: Handler = async (asked) => {
    calls += 1;
    const request = asked.headers.get(provedHeader) === "1" ? marked(asked) : asked;
    const reach = reachOf(request.method, new URL(request.url).pathname);
    if (reach === "never") return failure(403, "Only Vibey's own screen can do this");
    if (reach === "with all") {
      if (stored?.all !== true) return failure(403, "Not allowed over the bridge: in Settings, Bridge, let programs do all that you can");
      if ((await check(request)) !== "right") return failure(401, "Unauthorized");
    }
    return watched(await parts.handler(request));
  };

  function marked(request: Request): Request {
    const headers = new Headers(request.headers);
    headers.set(provedHeader, proof);
    return new Request(request, { headers });
  }

  /** Counts the open streams. */
  function watched(response: Response): Response {
    const { body } = response;
    if (body === null || response.headers.get("content-type") !== "text/event-stream") return response;
    watchers += 1;
    changed();
    let counted = true;
    const left = () => {
      if (!counted) return;
      counted = false;
      watchers -= 1;
      changed();
    };
    const reader = body.getReader();
    const counting = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            const { done, value } = await reader.read();
            if (!done) return controller.enqueue(value);
            left();
            controller.close();
          } catch (error) {
            left();
            controller.error(error);
          }
        },
        async cancel(reason) {
          left();
          await reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(counting, response);
  }

  function open(): void {
    bridgeConnection?.close();
    bridgeConnection = null;
    state = { state: "off", problem: null, since: null };
    [watchers, calls] = [0, 0];
    taken = null;
    if (stored !== null && connect !== null) {
      const { address, key, ahead } = stored;
      bridgeConnection = openBridgeConnection({
        ...parts,
        epoch: parts.epoch + ahead,
        connect,
        address,
        key,
        handler,
        told(news) {
          state =
            news.kind === "connected"
              ? { state: "connected", problem: null, since: new Date(parts.now()).toISOString() }
              : { state: news.kind, problem: news.problem, since: null };
          taken = news.kind === "refused" ? (news.taken ?? null) : null;
          if (news.kind === "connected") calls = 0;
          changed();
        },
      });
    }
    changed();
  }

  open();
  return {
    check,
    view: () => ({
      ...state,
      address: stored?.address ?? null,
      canTakeOver: taken !== null,
      path: parts.project === "" ? "" : `/p/${parts.project}`,
      all: stored?.all ?? false,
      watchers,
      calls,
    }),
    async set({ key, address, all, takeOver = false }) {
      const other = takeOver ? taken : null;
      const ahead = other === null ? (stored?.ahead ?? 0) : other + 1 - parts.epoch;
      const next = {
        ahead,
        address: address ?? stored?.address ?? usualAddress,
        key: key === undefined ? stored?.key : await importKey(key),
        all: all ?? stored?.all ?? false,
      };
      if (next.key === undefined) return false;
      const wanted = { ...next, key: next.key };
      await store.writeBridge(wanted);
      const isSameLine = other === null && key === undefined && stored?.address === wanted.address;
      // Closing the line ends the streams that were opened while everything was allowed.
      const allowsLess = stored?.all === true && !wanted.all;
      stored = wanted;
      if (isSameLine && !allowsLess) changed();
      else open();
      return true;
    },
    async forget() {
      await store.forgetBridge();
      stored = null;
      open();
    },
  };
}
