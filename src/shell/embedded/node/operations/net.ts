import type { End, EndListener, Listening, Ports } from "../../loopback/ports.ts";
import { copyOf, type Inside, number, type Operations } from "../plain.ts";
import type { AsyncWork } from "./outside.ts";

/**
 * Sockets inside the dialog. The runtime inside knows a connection by a number; `netEvent` reports what arrives from its other end. `close` closes
 * everything that the program has opened.
 */
export function netOperations(
  ports: Ports | null,
  work: AsyncWork,
  inside: () => Inside,
): { readonly operations: Operations; readonly close: () => void } {
  let lastWire = 0;
  const listening = new Map<number, Listening>();
  const wires = new Map<number, End>();
  const holds = new Map<number, () => void>();
  let over = false;

  const tell = (id: number, event: string, value: number | Uint8Array | null): void => {
    if (!over) work.post(() => inside().call("netEvent", id, event, value));
  };
  function listenerOf(wire: number): EndListener {
    return {
      data: (sent) => tell(wire, "data", sent),
      end: () => tell(wire, "end", null),
      close() {
        wires.delete(wire);
        tell(wire, "close", null);
      },
    };
  }

  const operations: Operations = {
    /** Answers with the port, -1 if it is taken, or -2 if there are no ports here. From then on `id` identifies the server. */
    "net.listen": (id, port) => {
      const server = number(id);
      work.begin(
        async () => {
          if (ports === null) return -2;
          const made = await ports.listen(number(port), (end) => {
            const wire = ++lastWire;
            wires.set(wire, end);
            tell(server, "accept", wire);
            return listenerOf(wire);
          });
          if (made === null) return -1;
          if (over) made.close();
          else listening.set(server, made);
          return made.port;
        },
        (answer) => inside().call("deliver", server, JSON.stringify(answer), null),
      );
    },
    "net.unlisten": (id) => {
      listening.get(number(id))?.close();
      listening.delete(number(id));
    },
    /** Answers with the connection's number, or 0 if nothing listens there. */
    "net.connect": (id, port) => {
      const wire = ++lastWire;
      work.begin(
        async () => {
          const end = (await ports?.connect(number(port), listenerOf(wire))) ?? null;
          if (end === null) return 0;
          if (over) end.close();
          else wires.set(wire, end);
          return wire;
        },
        (answer) => inside().call("deliver", number(id), JSON.stringify(answer), null),
      );
    },
    "net.send": (wire, sent) => wires.get(number(wire))?.send(copyOf(sent)),
    "net.end": (wire) => wires.get(number(wire))?.end(),
    "net.close": (wire) => {
      wires.get(number(wire))?.close();
      wires.delete(number(wire));
    },
    /** Whether the server or connection keeps the program from ending. */
    "net.hold": (id, on) => {
      const key = number(id);
      if (on === true) {
        if (!holds.has(key)) holds.set(key, work.hold());
      } else {
        holds.get(key)?.();
        holds.delete(key);
      }
    },
  };
  return {
    operations,
    close() {
      over = true;
      for (const each of listening.values()) each.close();
      for (const end of wires.values()) end.close();
    },
  };
}
