/**
 * The protocol for reaching ports over a message channel: a process asks its shell, and a shell asks the engine, which has the ports of each dialog.
 *
 * - `listen` is answered by `listening`, and `connect` by `connected`, with the same id. Null: the port isn't available, or nothing listens there.
 * - `accepted` reports a new connection to the listener. From then on a number (`wire`) identifies the connection on this channel.
 * - `data`, `end` and `close` go both ways; nothing follows `close`.
 * - `took` reports how many bytes of `data` the client has received.
 */
export type ToPorts =
  | { readonly kind: "listen"; readonly id: number; readonly port: number }
  | { readonly kind: "unlisten"; readonly port: number }
  | { readonly kind: "connect"; readonly id: number; readonly port: number }
  | { readonly kind: "took"; readonly size: number }
  | WireMessage;

export type FromPorts =
  | { readonly kind: "listening"; readonly id: number; readonly port: number | null }
  | { readonly kind: "connected"; readonly id: number; readonly wire: number | null }
  | { readonly kind: "accepted"; readonly port: number; readonly wire: number }
  | WireMessage;

export type WireMessage =
  | { readonly kind: "data"; readonly wire: number; readonly bytes: Uint8Array }
  | { readonly kind: "end"; readonly wire: number }
  | { readonly kind: "close"; readonly wire: number };

const isPort = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535;
const isNumber = (value: unknown): boolean => Number.isSafeInteger(value);

/** Whether an untrusted message is a request for ports. */
export function isToPorts(value: unknown): value is ToPorts {
  if (typeof value !== "object" || value === null) return false;
  const of = (name: string): unknown => Reflect.get(value, name);
  switch (of("kind")) {
    case "listen":
    case "connect":
      return isNumber(of("id")) && isPort(of("port"));
    case "unlisten":
      return isPort(of("port"));
    case "took":
      return isNumber(of("size")) && Number(of("size")) >= 0;
    case "data": {
      const bytes = of("bytes");
      return (
        isNumber(of("wire")) &&
        bytes instanceof Uint8Array &&
        bytes.buffer instanceof ArrayBuffer &&
        Reflect.get(bytes.buffer, "resizable") !== true
      );
    }
    case "end":
    case "close":
      return isNumber(of("wire"));
    default:
      return false;
  }
}
