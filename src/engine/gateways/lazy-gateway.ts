import type { Handler } from "../../protocol/port/answer-calls.ts";
import type { BridgeParts } from "./bridge-store.ts";
import type { Gateway } from "./gateway.ts";

export type { BridgeParts } from "./bridge-store.ts";

export interface LazyGatewayParts {
  readonly epoch: number;
  readonly handler: Handler;
  readonly now: () => Date;
  readonly later: (then: () => void, ms: number) => void;
  readonly changed: () => void;
}

export interface LazyGateway {
  readonly gateway: () => Promise<Gateway>;
  /** Connects, if the user has set up a bridge before. */
  readonly start: () => Promise<void>;
  /** The address of the bridge, if it is known yet. Null: none is set. */
  readonly address: () => string | null;
}

/** The gateway for programs outside. Its code is loaded if there is a bridge, or on request. */
export function lazyGateway(bridge: BridgeParts, { epoch, handler, now, later, changed }: LazyGatewayParts): LazyGateway {
  let opening: Promise<Gateway> | undefined;
  let opened: Gateway | null = null;
  const open = async () => {
    const { openGateway } = await import("./gateway.ts");
    opened = await openGateway({ ...bridge, epoch, handler, changed, now: () => now().getTime(), after });
    return opened;
  };
  const gateway = () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  /** Makes a timer that can be canceled. */
  function after(then: () => void, ms: number): () => void {
    let stopped = false;
    later(() => {
      if (!stopped) then();
    }, ms);
    return () => void (stopped = true);
  }
  return {
    gateway,
    address: () => opened?.view().address ?? null,
    start: async () => {
      if (await bridge.store.readBridge()) await gateway();
    },
  };
}

/** Without a bridge, a key is known only as long as the engine lives. */
export const noBridge: BridgeParts = {
  project: "",
  connect: null,
  store: { readBridge: async () => null, writeBridge: async () => undefined, forgetBridge: async () => undefined },
};
