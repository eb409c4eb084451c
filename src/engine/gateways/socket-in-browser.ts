import type { Socket } from "./bridge-connection.ts";

/** The only socket that Vibey opens: to the bridge whose key the user gave. */
// oxlint-disable-next-line no-restricted-globals -- see above.
export const openSocket = (url: string): Socket => new WebSocket(url);
