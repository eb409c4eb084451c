/** Hosts outside the public network: this device, the local network, and what a data center exposes to its own machines. */

/** Exactly these names mean this device, for commands. */
export const loopbacks: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Names that lead to no public host: names of this device, of a local network, or of the inside of a data center. */
const privateEndings = ["localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private", "home.arpa"];

/** IPv4 networks that are not public: first address and prefix length. */
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

/** Why commands can't reach a host. Null if it may be public. `host`: from a parsed URL, without a final dot. */
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

/** The address as a parsed URL writes it: four decimal numbers, whatever its original form. */
function ipv4(host: string): number | null {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) return null;
  return host.split(".").reduce((sum, part) => sum * 256 + Number(part), 0) >>> 0;
}
