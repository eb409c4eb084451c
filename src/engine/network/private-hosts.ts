/** Hosts that are no part of the public network: this device, the local network, and what a data centre tells its own machines. */

/** Exactly these name this device, as far as commands are concerned. */
export const loopbacks: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Names that lead to no public host: of this device, of a local network, or of a data centre from inside. */
const privateEndings = ["localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private", "home.arpa"];

/** First address and length of the network, of IPv4, that is not the public network's. */
const privateNetworks: readonly (readonly [first: string, bits: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  // Multicast, reserved, broadcast.
  ["224.0.0.0", 3],
];

/** Why a host is none that commands reach; null when it may be one. `host`: as a parsed URL has it, without a dot at its end. */
export function privateHost(host: string): string | null {
  if (loopbacks.includes(host)) return null;
  if (host.startsWith("[")) return "is an IPv6 address; use the host's name";
  const address = ipv4(host);
  if (address !== null) {
    const inside = privateNetworks.some(([first, bits]) => address >>> (32 - bits) === (ipv4(first) ?? 0) >>> (32 - bits));
    return inside ? "is an address on this device or a private network" : null;
  }
  if (!host.includes(".")) return "is a local network name";
  return privateEndings.some((ending) => host.endsWith(`.${ending}`)) ? "is a name on this device or a private network" : null;
}

/** An address as a parsed URL writes it: four decimal numbers, whatever it was written like. */
function ipv4(host: string): number | null {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) return null;
  return host.split(".").reduce((sum, part) => sum * 256 + Number(part), 0) >>> 0;
}
