/**
 * How ports are reached over a line of messages: a process asks its shell, and a shell asks the engine, which has the ports of each dialog.
 *
 * - `listen` is answered by `listening`, `connect` by `connected`, of the same id. null: it can't be had.
 * - `accepted` tells the listener of a new connection. Each is known by a number on this line (`wire`) from then on.
 * - `data`, `end` and `close` go both ways; nothing follows `close`.
 * - `took` says that the asker has received so many bytes of `data`.
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

/** Whether a stranger's message is one that asks for ports. */
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
