import type { Socket } from "./bridge-connection.ts";

/** What is kept of the bridge on this device, for one project. The key gives nothing out. */
export interface StoredBridge {
  /** Of the bridge, such as `ws://127.0.0.1:7870`. */
  readonly address: string;
  readonly key: CryptoKey;
  /** Programs that have the key may do all that the user can. */
  readonly all: boolean;
  /** Added to the number of this device's engine, since the user chose this page over another device's. */
  readonly ahead: number;
}

export interface BridgeStore {
  /** As it is stored, for `stored-bridge.ts`; undefined or null: there is none. */
  readBridge(): Promise<unknown>;
  writeBridge(bridge: StoredBridge): Promise<void>;
  forgetBridge(): Promise<void>;
}

export interface BridgeParts {
  readonly store: BridgeStore;
  /** The project's id; "" for the first one. */
  readonly project: string;
  /** Opens a socket; null: there are none here. */
  readonly connect: ((url: string) => Socket) | null;
}
