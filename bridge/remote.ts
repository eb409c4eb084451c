import type { Socket } from "node:net";
import { networkOf } from "./counts.ts";

/** Closes new connections from other machines if there are too many. `isLocal`: whether an address belongs to this machine. */
export function limitRemote(
  most: { readonly all: number; readonly each: number },
  isLocal: (address: string) => boolean,
): (socket: Socket) => void {
  const open = new Map<string, number>();
  let all = 0;
  return (socket) => {
    const { remoteAddress: address = "" } = socket;
    if (isLocal(address)) return;
    const network = networkOf(address);
    const own = open.get(network) ?? 0;
    if (all >= most.all || own >= most.each) return void socket.destroy();
    all += 1;
    open.set(network, own + 1);
    socket.once("close", () => {
      all -= 1;
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  };
}
