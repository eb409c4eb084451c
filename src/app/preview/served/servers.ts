import type { ServerView } from "../../../protocol/index.ts";
import type { Site } from "./server-calls.ts";

/** Identifies a server: each dialog has its own ports. */
export const keyOf = (server: ServerView | null): string | null => server && `${siteOf(server)?.dialogId ?? ""}:${server.port}`;

/** Where to send requests; null: the server runs in a WebContainer, and its page loads from there. */
export const siteOf = ({ url, port, owner }: ServerView): Site | null =>
  url === null && owner !== null ? { dialogId: owner.dialogId, port } : null;
