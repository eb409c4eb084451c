import type { Socket } from "./bridge-connection.ts";

/** The stored settings of the bridge on this device, for one project. The key can't be exported. */
export interface StoredBridge {
  /** The address of the bridge, such as `ws://127.0.0.1:7870`. */
  readonly address: string;
  readonly key: CryptoKey;
  /** Programs with the key may do everything that the user can. */
  readonly all: boolean;
  /** Added to the number of this device's engine since the user preferred this page over another device's. */
  readonly ahead: number;
}

export interface BridgeStore {
  /** The stored value, for `stored-bridge.ts`. Undefined or null if there is none. */
  readBridge(): Promise<unknown>;
  writeBridge(bridge: StoredBridge): Promise<void>;
  forgetBridge(): Promise<void>;
}

export interface BridgeParts {
  readonly store: BridgeStore;
  /** The project's id. Empty for the first project. */
  readonly project: string;
  /** Opens a socket. Null: sockets are not available here. */
  readonly connect: ((url: string) => Socket) | null;
}
